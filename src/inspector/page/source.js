// Where the trace gets its calls from: the server, or the page that it was saved
// in. The parts of the trace use nothing else of the inspector.
export const source = {
  readCall: null,                              // a promise of a call with its content
  argumentsOf: call => call.arguments ?? {},
  isWaiting: () => false,                      // for the person
  decide: null,                                // (action, call)
  search: null,                                // a promise of the numbers of calls whose answers have a text
  extraOf: () => null,                         // what is shown below a call
};

export const isPicture = block => block.kind === "picture";
export const hasPicture = call => call.blocks.some(isPicture);

/* All known calls, by number. Dispatches "change" and "select". */
export class Calls extends EventTarget {
  constructor(limit) {
    super();
    this.limit = limit;
    this.server = "";
    this.clear();
  }

  clear() {
    this.after = 0;
    this.bySequence = new Map();
    this.sorted = null;
    this.selected = 0;
    this.totals = [];
  }

  get list() {
    this.sorted ??= [...this.bySequence.values()].sort((a, b) => a.sequence - b.sequence);
    return this.sorted;
  }

  add(call) {
    this.after = Math.max(this.after, call.version);
    this.bySequence.set(call.sequence, call);
    this.sorted = null;
  }

  /* Forgets the oldest beyond the limit. */
  trim() {
    if (this.bySequence.size > this.limit) {
      this.list.slice(0, this.bySequence.size - this.limit).forEach(call => this.bySequence.delete(call.sequence));
      this.sorted = null;
    }
  }

  get current() {
    return this.bySequence.get(this.selected);
  }

  select(sequence) {
    this.selected = sequence;
    this.dispatchEvent(new Event("select"));
  }

  /* Calls of the same client before or after one, the nearest first. */
  *near(call, step) {
    const { list } = this;
    for (let index = list.indexOf(call) + step; index >= 0 && index < list.length; index += step) {
      if (list[index].client === call.client) {
        yield list[index];
      }
    }
  }

  find(call, step, test) {
    for (const other of this.near(call, step)) {
      if (test(other)) {
        return other;
      }
    }
    return null;
  }
}
