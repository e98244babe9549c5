// C++ in lean.wasm calls whatever may throw through a function invoke_* of lean.js, which calls it in a try block of
// JavaScript: a tenth of all processor time, with two steps from one language to the other for each call.  Here the
// threads, where Lean works, get the same functions in WebAssembly.  The main thread keeps those of lean.js, since
// JavaScript forgives one call with an argument too many, of `lean_shell_main`.  Loaded before lean.js.
//
// What an exception does is unchanged: the stack is set back, and one that is not a number is thrown on.
const TYPES = { i: 0x7f, j: 0x7e, f: 0x7d, d: 0x7c };
const ZEROS = { v: [], i: [0x41, 0], j: [0x42, 0], f: [0x43, 0, 0, 0, 0], d: [0x44, 0, 0, 0, 0, 0, 0, 0, 0] };
const [REFERENCE, FUNCTION, NOTHING] = [0x6f, 0x70, 0x40];
const number = (n) => (n < 128 ? [n] : [(n & 127) | 128, ...number(n >> 7)]);
const sized = (bytes) => [...number(bytes.length), ...bytes];
const list = (items) => [...number(items.length), ...items.flat()];
const text = (name) => sized([...Buffer.from(name)]);

// A module of one function for each of the names, whose letters are the types of its result and arguments.
function assemble(names) {
  const types = [[0x60, 2, REFERENCE, TYPES.i, 0], [0x60, 1, REFERENCE, 0]];
  const [functions, exported, code] = [[], [], []];
  names.forEach((name, i) => {
    const [result, ...letters] = name.slice("invoke_".length);
    const given = letters.map((letter) => TYPES[letter]);
    const back = result === "v" ? [] : [TYPES[result]];
    const stack = number(given.length + 1);
    types.push([0x60, ...sized(given), ...sized(back)], [0x60, ...sized([TYPES.i, ...given]), ...sized(back)]);
    functions.push(number(2 * i + 3));
    exported.push([...text(name), 0, ...number(i + 1)]);
    code.push(sized([
      ...[1, 1, TYPES.i], 0x23, 0, 0x21, ...stack, // local = the global that points to the top of the stack
      ...[0x02, REFERENCE], 0x1f, ...(back.length ? back : [NOTHING]), ...[1, 0, 0, 0], // block, try_table, catch
      ...given.flatMap((_, k) => [0x20, ...number(k + 1)]), 0x20, 0, 0x11, ...number(2 * i + 2), 0, // call_indirect
      ...[0x0b, 0x0f, 0x0b], 0x20, ...stack, 0x10, 0, ...ZEROS[result], 0x0b, // return; what was caught is handed over
    ]));
  });
  const imported = [
    [...text("given"), ...text("table"), 1, FUNCTION, 0, 0],
    [...text("given"), ...text("stack"), 3, TYPES.i, 1],
    [...text("given"), ...text("thrown"), 4, 0, 1],
    [...text("given"), ...text("caught"), 0, 0],
  ];
  const sections = [[1, types], [2, imported], [3, functions], [7, exported], [10, code]];
  return Uint8Array.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, ...sections.flatMap(([id, items]) => [id, ...sized(list(items))])]);
}

let made;
// What lean.wasm imports from `env`: all that lean.js has, with the table of functions and the pointer to the stack.
globalThis.privrefCatch = (all, { functions, top, thread, caught }) => {
  if (made) return made;
  const table = new WebAssembly.Table({ element: "anyfunc", initial: functions });
  const stack = new WebAssembly.Global({ value: "i32", mutable: true }, top);
  made = { ...all, __indirect_function_table: table, __stack_pointer: stack };
  if (thread) {
    const module = new WebAssembly.Module(assemble(Object.keys(all).filter((name) => name.startsWith("invoke_"))));
    const given = { table, stack, thrown: WebAssembly.JSTag, caught };
    Object.assign(made, new WebAssembly.Instance(module, { given }).exports);
  }
  return made;
};
