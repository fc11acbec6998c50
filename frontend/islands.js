// Islands of the page. `hydrate` and `leave` start and end them; undefined without wasm. `ready` is a promise that is
// fulfilled when they have been hydrated.
export const islands = {};
