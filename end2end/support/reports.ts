import type { Row } from "./service.js";

const PLACES = [
  { city: "Campinas", region: "São Paulo", country: "Brazil" },
  { city: "Lyon", region: "Auvergne-Rhône-Alpes", country: "France" },
  { city: "Kraków", region: "", country: "Poland" },
];

/** Creates these numbers of old reports of each type, in three cities of three countries. */
export function history(spirit: number, water: number, both: number): Row[] {
  const types = [
    ...Array<"spirit">(spirit).fill("spirit"),
    ...Array<"water">(water).fill("water"),
    ...Array<"both">(both).fill("both"),
  ];
  return types.map((type, index) => ({
    id: `history-${index}`,
    type,
    ...PLACES[index % PLACES.length]!,
    createdAt: "2020-06-01T12:00:00.000Z",
  }));
}

/** Pending report of today, for a test to publish. */
export const pending: Row = { id: "pending-1", type: "water", city: "Lyon", country: "France" };
