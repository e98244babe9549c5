// Serves runs of Lean in one process: node launch.js TOOLCHAIN ROOT, one JSON request a line on
// standard input, {"cwd", "path", "options": [[letter, value or null]], "files"}.  Lean writes to standard
// output; after each run follows the line `[privref:done] CODE HEAP`, HEAP in bytes that the next run finds taken.
//
// lean.js itself mounts /home and /tmp and then enters the host's working folder, so any other
// place a checkout may live in has to be mounted before its main function runs.  That function can
// run only once ("Options can only be registered during initialization"): it compiles the first
// file, its exit is held back, and every later run calls what it calls after the initialisation.
const fs = require("fs");
const path = require("path");
const [node, , toolchain, root] = process.argv;
const main = path.join(toolchain, "lean.js");
const mounted = ["/home", "/tmp"];
const visible = (dir) => mounted.some((m) => dir === m || dir.startsWith(m + "/"));

let files, environment;
let rest = "";
const chunk = Buffer.alloc(65536);

const pause = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

// What every thread of Lean has used of the processor, null while one is not asleep or where the system does not tell.
function used() {
  try {
    return fs.readdirSync("/proc/self/task").map((task) => {
      const [, name, state] = /\((.*)\) (\S)/.exec(fs.readFileSync(`/proc/self/task/${task}/stat`, "utf8"));
      if (!name.startsWith("em-pthread")) return "";
      if (state !== "S") throw new Error("awake");
      return fs.readFileSync(`/proc/self/task/${task}/schedstat`, "utf8");
    }).join();
  } catch {
    return null;
  }
}

// Whether all threads of Lean wait: they slept through ten milliseconds, within a second.
function idle() {
  for (let before = used(), tries = process.platform === "linux" ? 100 : 0; tries > 0; tries--) {
    pause(10);
    const now = used();
    if (now !== null && now === before) return true;
    before = now;
  }
  return false;
}

function readLine() {
  for (;;) {
    const end = rest.indexOf("\n");
    if (end >= 0) {
      const line = rest.slice(0, end);
      rest = rest.slice(end + 1);
      return line;
    }
    let count;
    try {
      count = fs.readSync(0, chunk, 0, chunk.length, null);
    } catch (error) {
      if (error.code === "EAGAIN") {
        pause(20);
        continue;
      }
      throw error;
    }
    if (count === 0) return null;
    rest += chunk.toString("latin1", 0, count);
  }
}

globalThis.privrefLeanModule = {
  preRun: [
    (lean) => {
      files = lean.FS;
      environment = lean.ENV;
      environment.LLVM_PROFILE_FILE = "/dev/null"; // the build was left instrumented: no default.profraw in the sources
      for (const dir of [root, toolchain]) {
        if (visible(dir)) continue;
        files.mkdirTree(dir);
        files.mount(files.filesystems.NODEFS, { root: dir }, dir);
        mounted.push(dir);
      }
    },
  ],
  privrefHold: true,
  // Instead of the call of `main`: `start` is that call, `on` what lean.js keeps to itself.
  privrefServe(start, on) {
    const lean = globalThis.privrefLeanModule;
    const held = (call) => {
      try {
        return call();
      } catch (error) {
        if (error instanceof on.ExitStatus) return error.status;
        throw error;
      }
    };
    const word = () => on.alloc(4);
    const run = ({ options, files: names }) => {
      const shell = word();
      lean["__ZN4lean16mk_shell_optionsEv"](shell);
      for (const [letter, value] of options) {
        const refused = lean["__ZN4lean20process_shell_optionERNS_10object_refEiPKcRi"](
          shell, letter.charCodeAt(0), value === null ? 0 : on.text(value), word());
        if (refused) return 2;
      }
      const list = on.alloc(4 * (names.length + 1));
      const pointers = names.map((name) => on.text(name));
      [...pointers, 0].forEach((pointer, i) => (on.words()[(list >> 2) + i] = pointer));
      return lean["__ZN4lean14run_shell_mainEiPPcRKNS_10object_refE"](names.length, list, shell);
    };
    // A run never gives back what it took of the memory, so that is set back to what it was after the first run, or
    // after the last one that added threads: those keep some of it.  Its size is what the next run finds taken.
    let kept, threads;
    const setBack = () => {
      if (!idle()) return on.words().byteLength;
      const words = on.words();
      if (threads === on.threads()) {
        words.set(kept);
        words.fill(0, kept.length);
      } else {
        threads = on.threads();
        kept = words.slice();
      }
      return kept.byteLength;
    };
    const serve = (call) => {
      const stack = on.save();
      const code = held(call);
      on.restore(stack);
      fs.writeSync(1, `\n[privref:done] ${code} ${setBack()}\n`);
    };
    serve(start);
    for (let line = readLine(); line !== null; line = readLine()) {
      const request = JSON.parse(line);
      environment.LEAN_PATH = request.path;
      files.chdir(request.cwd);
      lean["__ZN4lean16init_search_pathEv"]();
      serve(() => run(request));
    }
    process.kill(process.pid, "SIGKILL"); // threads of Lean may still wait, and would keep it from ending
  },
};
process.env.PRIVREF_LEAN_SEES = JSON.stringify([toolchain, root]); // read by near.js in every thread
const line = readLine();
if (line === null) process.exit(0);
const first = JSON.parse(line);
process.chdir(first.cwd);
process.env.LEAN_PATH = first.path;
const flags = first.options.map(([letter, value]) => (letter === "J" ? "--json" : `-${letter}${value}`));
// One thread works, more only while it waits for them: how many there are does not depend on the machine.
process.argv = [node, main, "-j1", ...flags, ...first.files];
require(main);
