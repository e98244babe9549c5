// Runs the patched lean.js on the host's files: node launch.js TOOLCHAIN ROOT LEAN-ARGUMENTS...
// lean.js itself mounts /home and /tmp and then enters the host's working folder, so any
// other place a checkout may live in has to be mounted before its main function runs.
const path = require("path");
const [node, , toolchain, root, ...args] = process.argv;
const main = path.join(toolchain, "lean.js");
const mounted = ["/home", "/tmp"];
const visible = (dir) => mounted.some((m) => dir === m || dir.startsWith(m + "/"));

globalThis.privrefLeanModule = {
  preRun: [
    (lean) => {
      const { FS, ENV } = lean;
      ENV.LLVM_PROFILE_FILE = "/dev/null"; // the build was left instrumented: no default.profraw in the sources
      const NODEFS = FS.filesystems.NODEFS;
      for (const dir of [root, toolchain]) {
        if (visible(dir)) continue;
        FS.mkdirTree(dir);
        FS.mount(NODEFS, { root: dir }, dir);
        mounted.push(dir);
      }
    },
  ],
};
process.argv = [node, main, ...args];
require(main);
