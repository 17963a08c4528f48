// Loads the rest of the page after its first paint, which then does not wait for
// the other modules.
const painted = new Promise(done => requestAnimationFrame(() => setTimeout(done)));
const late = new Promise(done => setTimeout(done, 300)); // a hidden page is not painted
Promise.race([painted, late]).then(() => import("./main.js"));
