// Sends the forms of the API reference, and shows the responses in place. Without this script, forms work if a browser
// can send their requests, and the others stay hidden. The key is stored nowhere but in its field.
const key = document.getElementById("key");
const SHOWN = ["RateLimit", "RateLimit-Policy", "Retry-After", "ETag", "Cache-Control"];
// Last event of the first tick of a stream. The rest of the stream is not shown.
const FIRST_TICK = /event: error\n.*\n\n|event: reports\n.*\n\n/;

// The overview of the reference has the anchors from before it was split into pages, each at the link to its new place.
const anchor = document.getElementById(location.hash.slice(1));
const moved = anchor?.closest(".overview ul") && anchor.querySelector("a");
if (moved) location.replace(moved.href);

for (const element of document.querySelectorAll("[data-live]")) element.hidden = false;
for (const form of document.querySelectorAll("form.try")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(form);
  });
}

async function send(form) {
  const outcome = form.querySelector(".outcome");
  const place = form.querySelector(".answer");
  const button = form.querySelector("[type=submit]");
  button.disabled = true;
  outcome.textContent = "Waiting …";
  place.replaceChildren();
  try {
    const answer = await fetch(...request(form));
    const text = await bodyOf(answer);
    show(outcome, place, answer, text);
  } catch (error) {
    outcome.textContent = `No answer: ${error.message}`;
  }
  button.disabled = false;
}

function request(form) {
  const { method } = form.dataset;
  let { path } = form.dataset;
  const query = new URLSearchParams();
  const headers = {};
  let body;
  for (const field of form.querySelectorAll("[name]")) {
    if ("segment" in field.dataset) {
      path = path.replace(`{${field.name}}`, encodeURIComponent(field.value));
    } else if ("body" in field.dataset) {
      if (!field.value && !field.required) continue;
      body = field.value;
      headers["content-type"] = "application/json";
    } else if (field.value) {
      query.set(field.name, field.value);
    }
  }
  const given = key.value.trim();
  if (given) headers.authorization = `Bearer ${given}`;
  const text = query.toString();
  return [path + (text && `?${text}`), { method, headers, body, cache: "no-store" }];
}

async function bodyOf(answer) {
  const type = answer.headers.get("content-type") || "";
  if (!type.startsWith("text/event-stream")) {
    const text = await answer.text();
    return type.includes("json") ? JSON.stringify(JSON.parse(text), null, 2) : text;
  }
  const reader = answer.body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  while (!FIRST_TICK.test(text)) {
    const { done, value } = await reader.read();
    if (done) break;
    text += decoder.decode(value, { stream: true });
  }
  reader.cancel();
  return `${text.trimEnd()}\n\n… and so on, every 5 seconds.`;
}

function show(outcome, place, answer, text) {
  const status = element("b", answer.ok ? "status good" : "status bad", `${answer.status}`);
  outcome.replaceChildren(status, ` ${answer.statusText}`);
  const headers = element("dl");
  for (const name of SHOWN) {
    const value = answer.headers.get(name);
    if (value) headers.append(element("dt", "", name), element("dd", "", value));
  }
  place.append(headers);
  if (!text) return;
  const body = element("pre");
  body.tabIndex = 0;
  body.setAttribute("role", "group");
  body.setAttribute("aria-label", "Answer");
  body.append(element("code", "", text));
  place.append(body);
}

function element(name, className = "", text = "") {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.textContent = text;
  return made;
}
