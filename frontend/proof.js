// Proof of work for a report. Browsers offer their own SHA-256 only on HTTPS, and only as a promise for each hash. A frame
// in a sandbox may not start workers.

// Maximum time without a pause, in milliseconds. The page stays responsive in the pauses.
const SLICE = 16;
// Number of digits of a nonce. There are about 100 times as many nonces as a difficulty of 20 takes on average.
const DIGITS = 8;

// First bits of the fractional parts of the square roots of the first 8 primes and of the cube roots of the first 64
// (FIPS 180-4).
const PRIMES = [2];
for (let number = 3; PRIMES.length < 64; number += 2) {
  if (PRIMES.every((prime) => number % prime)) PRIMES.push(number);
}
const fraction = (root) => ((root % 1) * 2 ** 32) | 0;
const START = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const ROUNDS = Int32Array.from(PRIMES, (prime) => fraction(Math.cbrt(prime)));

const words = new Int32Array(64);
const rotated = (word, by) => (word >>> by) | (word << (32 - by));

// Returns the state of SHA-256 after the block of a `DataView` at `at`.
function compressed(state, view, at) {
  for (let t = 0; t < 16; t++) words[t] = view.getInt32(at + t * 4);
  for (let t = 16; t < 64; t++) {
    const x = words[t - 15];
    const y = words[t - 2];
    const first = rotated(x, 7) ^ rotated(x, 18) ^ (x >>> 3);
    const second = rotated(y, 17) ^ rotated(y, 19) ^ (y >>> 10);
    words[t] = (words[t - 16] + first + words[t - 7] + second) | 0;
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let t = 0; t < 64; t++) {
    const choice = (e & f) ^ (~e & g);
    const one = (h + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) + choice + ROUNDS[t] + words[t]) | 0;
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const two = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + majority;
    h = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + two) | 0;
  }
  return [a, b, c, d, e, f, g, h].map((word, index) => (word + state[index]) | 0);
}

// Returns a nonce with which SHA-256 of challenge, colon and nonce begins with `difficulty` zero bits, at most 32.
export async function solve(challenge, difficulty) {
  const text = new TextEncoder().encode(`${challenge}:${"0".repeat(DIGITS)}`);
  // Whole blocks with the text, a mark and the number of bits.
  const bytes = new Uint8Array((text.length + 72) & ~63);
  const view = new DataView(bytes.buffer);
  bytes.set(text);
  bytes[text.length] = 128;
  view.setUint32(bytes.length - 4, text.length * 8);
  // The blocks before the nonce are the same for each.
  const common = (text.length - DIGITS) & ~63;
  let begun = START;
  for (let at = 0; at < common; at += 64) begun = compressed(begun, view, at);
  let end = performance.now() + SLICE;
  for (let nonce = 0; ; nonce++) {
    for (let at = text.length - 1, rest = nonce; rest; rest = Math.floor(rest / 10)) bytes[at--] = 48 + (rest % 10);
    let hash = begun;
    for (let at = common; at < bytes.length; at += 64) hash = compressed(hash, view, at);
    if (Math.clz32(hash[0]) >= difficulty) return `${nonce}`.padStart(DIGITS, "0");
    if (nonce % 64 === 0 && performance.now() > end) {
      await new Promise((resume) => setTimeout(resume));
      end = performance.now() + SLICE;
    }
  }
}
