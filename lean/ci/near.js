// What a thread of Lean asks of the host's files by itself, where lean.js would send it to the main thread: whether a
// file is there, the reading of oleans, and what it writes to standard error.  Loaded into every thread of Node before lean.js.
//
// An answer of undefined leaves the call to the main thread, as do all others: what is written, and what Lean mounted
// elsewhere.  A file opened here is read and closed by the same thread; no other knows its number.
const fs = require("fs");

const sees = JSON.parse(process.env.PRIVREF_LEAN_SEES ?? "[]");
const ours = (name) => !name.includes("/..") && sees.some((folder) => name.startsWith(`${folder}/`));
const olean = /\.olean(\.\w+)?$/;

const ABSENT = -44; // the ENOENT of lean.js
const WRITES = 0o1103; // O_WRONLY, O_RDWR, O_CREAT and O_TRUNC, as lean.js numbers them
const FIRST = 1 << 20; // above every number that lean.js gives
const places = new Map(); // of each file open in this thread: where its next byte is read

globalThis.privrefNear = {
  ___syscall_stat64(lean, at, buffer) {
    const name = lean.text(at);
    if (!ours(name)) return undefined;
    const found = fs.statSync(name, { throwIfNoEntry: false });
    return found === undefined ? ABSENT : lean.stat(buffer, found);
  },
  ___syscall_openat(lean, folder, at, flags) {
    const name = lean.text(at);
    if (!ours(name) || !olean.test(name) || flags & WRITES) return undefined;
    let file;
    try {
      file = fs.openSync(name, "r");
    } catch {
      return undefined; // the main thread says why
    }
    places.set(FIRST + file, 0);
    return FIRST + file;
  },
  ___syscall_fstat64(lean, fd, buffer) {
    return places.has(fd) ? lean.stat(buffer, fs.fstatSync(fd - FIRST)) : undefined;
  },
  // At each import this build of Lean writes nine lines of debugging.
  _fd_write(lean, fd, parts, count, sum) {
    if (fd !== 2) return undefined;
    let written = 0;
    for (let i = 0; i < count; i++) {
      const [start, length] = lean.words().subarray((parts >> 2) + 2 * i);
      fs.writeSync(2, Buffer.from(lean.bytes().slice(start, start + length)));
      written += length;
    }
    lean.words()[sum >> 2] = written;
    return 0;
  },
  _fd_read(lean, fd, parts, count, sum) {
    if (!places.has(fd)) return undefined;
    let read = 0;
    for (let i = 0; i < count; i++) {
      const [start, length] = lean.words().subarray((parts >> 2) + 2 * i);
      const got = fs.readSync(fd - FIRST, lean.bytes(), start, length, places.get(fd) + read);
      read += got;
      if (got < length) break;
    }
    places.set(fd, places.get(fd) + read);
    lean.words()[sum >> 2] = read;
    return 0;
  },
  _fd_seek(lean, fd, offset, whence, result) {
    if (!places.has(fd)) return undefined;
    const from = [() => 0, () => places.get(fd), () => fs.fstatSync(fd - FIRST).size][whence]();
    places.set(fd, from + Number(offset));
    lean.longs()[result >> 3] = BigInt(places.get(fd));
    return 0;
  },
  _fd_close(lean, fd) {
    if (!places.delete(fd)) return undefined;
    fs.closeSync(fd - FIRST);
    return 0;
  },
};
