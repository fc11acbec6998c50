import { sleep } from "./sleep.js";
import type { Challenge, ProofOfWork } from "./types.js";

/** Number of hashes between two pauses, in which a page can respond: some milliseconds. */
const SLICE = 4_000;

/** Solution of a challenge: a nonce with which SHA-256 of the challenge begins with enough zero bits. */
export async function solved({ challenge, difficulty }: Challenge, signal?: AbortSignal): Promise<ProofOfWork> {
  const limit = 2 ** (32 - difficulty);
  for (let nonce = 0; ; nonce += 1) {
    if (nonce % SLICE === 0) await sleep(0, signal);
    if (sha256Begin(`${challenge}:${nonce}`) < limit) return { challenge, nonce: `${nonce}` };
  }
}

const PRIMES = Array.from({ length: 312 }, (_, n) => n).filter((n) => {
  for (let divisor = 2; divisor * divisor <= n; divisor += 1) if (n % divisor === 0) return false;
  return n > 1;
});
/** First 32 bits of the fractional parts of roots. */
const CONSTANTS = Int32Array.from(PRIMES, (prime) => (Math.cbrt(prime) % 1) * 2 ** 32);
const START = Int32Array.from(PRIMES.slice(0, 8), (prime) => (Math.sqrt(prime) % 1) * 2 ** 32);

const rotated = (word: number, bits: number) => (word >>> bits) | (word << (32 - bits));

/** First 32 bits of SHA-256 of a text. The browser's own returns a promise for each hash, which takes much longer. */
function sha256Begin(text: string): number {
  const bytes = new TextEncoder().encode(text);
  const padded = new DataView(new ArrayBuffer(Math.ceil((bytes.length + 9) / 64) * 64));
  new Uint8Array(padded.buffer).set(bytes);
  padded.setUint8(bytes.length, 0x80);
  padded.setUint32(padded.byteLength - 4, bytes.length * 8);
  const state = Int32Array.from(START);
  const words = new Int32Array(64);
  for (let block = 0; block < padded.byteLength; block += 64) {
    let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
    for (let round = 0; round < 64; round += 1) {
      if (round < 16) {
        words[round] = padded.getInt32(block + 4 * round);
      } else {
        const [one, two] = [words[round - 15]!, words[round - 2]!];
        const mixed = (rotated(one, 7) ^ rotated(one, 18) ^ (one >>> 3)) + words[round - 7]!;
        words[round] = words[round - 16]! + mixed + (rotated(two, 17) ^ rotated(two, 19) ^ (two >>> 10));
      }
      const choice = (e & f) ^ (~e & g);
      const first = h + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) + choice + CONSTANTS[round]! + words[round]!;
      const second = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, index) => (state[index] = state[index]! + word));
  }
  return state[0]! >>> 0;
}
