// Loads the wasm modules of the page.

// Maximum number of requests for a file. The pause between them is a second at first and doubles each time: four
// minutes in total.
const MAX_TRIES = 9;

// Promises of compiled modules, by URL.
const modules = new Map();

// Returns a promise of the module at a URL, which is fetched and compiled once.
export function compiled(url) {
  if (!modules.has(url)) modules.set(url, load(url).then((response) => WebAssembly.compileStreaming(response)));
  return modules.get(url);
}

// Returns the response for a file. Retries, because a request during a rolling upgrade may reach a node of another
// version than the page.
async function load(url) {
  for (let tries = 1; ; tries++) {
    const cache = tries > 1 ? "reload" : "default";
    const response = await fetch(url, { cache }).catch((error) => ({ status: error }));
    if (response.ok) return response;
    if (tries === MAX_TRIES) throw new Error(`${url}: ${response.status}`);
    // Makes the stylesheets show content that they hide until an island rewrites it.
    document.documentElement.dataset.boot = "failed";
    await new Promise((resume) => setTimeout(resume, 2 ** (tries - 1) * (750 + 500 * Math.random())));
  }
}
