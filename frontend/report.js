// Script of the widget with a form, which the site has as one file: suggests cities, and sends the report by the API with
// a proof of work. Without this script, the form is a plain one.
import "./host.js";
import { solve } from "./proof.js";

const API = "../api/v1/";

// Time without typing before cities are suggested, in milliseconds.
const REST = 300;

const main = document.querySelector("main");
let timer;

// Stops retry.js from loading this script again.
document.documentElement.dataset.boot = "started";

// The listeners are on `main`, which stays when its content is replaced. None is for `submit`, which a sandbox without
// `allow-forms` prevents. Enter in a field is a click on the button, too.
main.addEventListener("click", (event) => {
  const button = event.target.closest(".send");
  const again = event.target.closest(".thanks a");
  if (!button && !again) return;
  event.preventDefault();
  if (again) restart();
  else if (button.getAttribute("aria-disabled") !== "true") send(button);
});

main.addEventListener("input", ({ target, inputType }) => {
  if (target.name !== "city") return;
  clearTimeout(timer);
  // A choice is an event without a type, or a replacement, depending on the browser.
  if (!inputType || inputType === "insertReplacementText") fillIn(target.form);
  else timer = setTimeout(suggest, REST, target.form);
});

const field = (form, name) => form.querySelector(`[name=${name}]`);

// Sends the form of a button, and shows thanks, or the faults and the problem.
async function send(button) {
  const { form, textContent: label } = button;
  const { fields, problems, sending } = JSON.parse(document.getElementById("initial").textContent);
  const busy = (is) => {
    button.textContent = is ? sending : label;
    button.setAttribute("aria-disabled", is);
  };
  const show = (faulty, problem) => {
    form.querySelector(".trouble").textContent = problem;
    for (const [name, fault] of fields) {
      const isFaulty = faulty.includes(name);
      document.getElementById(`fault-${name}`).textContent = isFaulty ? fault : "";
      if (name !== "type") field(form, name).setAttribute("aria-invalid", isFaulty);
    }
  };
  form.querySelector(".trouble").textContent = "";
  busy(true);
  const names = fields.map(([name]) => name);
  const { id, code, errors = [] } = await submit(form, names);
  busy(false);
  // The page may have replaced the form in the meantime.
  if (!form.isConnected) return;
  const faulty = names.filter((name) => errors.some(({ pointer }) => pointer === `/${name}`));
  show(faulty, id || faulty.length ? "" : (problems[code] ?? problems[""]));
  if (id) thank(form, id);
  else if (faulty.length) field(form, faulty[0]).focus();
}

// Returns the API's response: an id, or a problem. Empty fields and values that the browser does not understand have the
// same errors; a lost response is a problem without a code.
async function submit(form, names) {
  const data = new FormData(form);
  const report = { website: data.get("website") };
  const errors = [];
  for (const name of names) {
    const { required, validity } = field(form, name);
    const value = data.get(name)?.trim();
    if (value) report[name] = name === "peopleCount" ? +value : value;
    else if (required || validity.badInput) errors.push({ pointer: `/${name}` });
  }
  if (errors.length) return { errors };
  try {
    const { challenge, difficulty, ...problem } = await request(API + "challenge");
    if (!challenge) return problem;
    report.proof = { challenge, nonce: await solve(challenge, difficulty) };
    return await request(API + "reports", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(report),
    });
  } catch {
    return {};
  }
}

async function request(address, options) {
  return (await fetch(address, options)).json();
}

function thank(form, id) {
  const thanks = main.querySelector(".thanks");
  thanks.querySelector("bdi").textContent = id;
  form.hidden = true;
  thanks.hidden = false;
  thanks.focus();
}

function restart() {
  const form = main.querySelector("form");
  form.reset();
  main.querySelector(".thanks").hidden = true;
  form.hidden = false;
  field(form, "type").focus();
}

// Suggests cities whose names begin as typed.
async function suggest(form) {
  const { city, country } = form.elements;
  const typed = city.value;
  const places = await request(`report/places?${new URLSearchParams({ city: typed, country: country.value })}`).catch(() => []);
  if (city.value !== typed || !Array.isArray(places)) return;
  const options = places.map(({ city, country, label }) => {
    const option = new Option(label, city);
    option.dataset.country = country;
    return option;
  });
  form.querySelector("datalist").replaceChildren(...options);
}

// Fills in the country of the chosen city, if it is empty, and only one suggestion has this name.
function fillIn(form) {
  const { city, country } = form.elements;
  const [found, ...others] = [...form.querySelectorAll("option")].filter(({ value }) => value === city.value);
  if (found && !others.length && !country.value) country.value = found.dataset.country;
}
