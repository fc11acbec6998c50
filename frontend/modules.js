// The wasm modules of the page.

// Number of requests for a file. The pauses between them are a second, then twice as long each time: four minutes in
// all.
const MAX_TRIES = 9;

// By URL.
const modules = new Map();

// Returns a promise of the module at a URL, which is fetched and compiled once.
export function compiled(url) {
  if (!modules.has(url)) modules.set(url, load(url).then((response) => WebAssembly.compileStreaming(response)));
  return modules.get(url);
}

// While nodes are upgraded one by one, a request may reach one that is of another version than the page.
async function load(url) {
  for (let tries = 1; ; tries++) {
    const cache = tries > 1 ? "reload" : "default";
    const response = await fetch(url, { cache }).catch((error) => ({ status: error }));
    if (response.ok) return response;
    if (tries === MAX_TRIES) throw new Error(`${url}: ${response.status}`);
    // What the styles hide until an island writes it is shown as the server wrote it.
    document.documentElement.dataset.boot = "failed";
    await new Promise((resume) => setTimeout(resume, 2 ** (tries - 1) * (750 + 500 * Math.random())));
  }
}
