/** URLs of a `Link` header (RFC 8288) by their relation, resolved against the URL of the request. */
export function links(header: string | null, base: URL): Record<string, string | undefined> {
  const found = (header ?? "").matchAll(/<([^>]*)>\s*;\s*rel="?(\w+)"?/g);
  return Object.fromEntries([...found].map(([, target = "", relation = ""]) => [relation, new URL(target, base).href]));
}
