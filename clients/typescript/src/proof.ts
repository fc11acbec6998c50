import type { Challenge, ProofOfWork } from "./types.js";

/** Number of hashes that are computed at once. */
const BATCH = 256;

/** Solution of a challenge: a nonce with which SHA-256 of the challenge begins with enough zero bits. */
export async function solved({ challenge, difficulty }: Challenge): Promise<ProofOfWork> {
  const encoder = new TextEncoder();
  const limit = 2 ** (32 - difficulty);
  const isSolution = async (nonce: number) => {
    const hash = await crypto.subtle.digest("SHA-256", encoder.encode(`${challenge}:${nonce}`));
    return new DataView(hash).getUint32(0) < limit;
  };
  for (let first = 0; ; first += BATCH) {
    const results = await Promise.all(Array.from({ length: BATCH }, (_, index) => isSolution(first + index)));
    const index = results.indexOf(true);
    if (index >= 0) return { challenge, nonce: `${first + index}` };
  }
}
