import { type HostCalls, type HostContext, ProgramEnd } from "./host-context.ts";
import { refuse } from "./wasi-errno.ts";

/** What `random` gives at a time. */
const RANDOM_BYTES = 65_536;

/** Arguments, environment, clocks, random numbers and the end. */
export function processCalls({ memory, descriptors, args, env, clock, random }: HostContext): HostCalls {
  const encoder = new TextEncoder();
  const texts = (list: readonly string[]) => {
    const encoded = list.map((text) => encoder.encode(`${text}\0`));
    return {
      sizes(count: number, size: number) {
        memory.setU32(count, encoded.length);
        memory.setU32(
          size,
          encoded.reduce((sum, { length }) => sum + length, 0),
        );
      },
      get(pointers: number, at: number) {
        let to = at;
        for (const [index, one] of encoded.entries()) {
          memory.setU32(pointers + index * 4, to);
          memory.bytes(to, one.length).set(one);
          to += one.length;
        }
      },
    };
  };
  const argv = texts(args);
  const environ = texts(env);
  const checkClock = (id: number): void => {
    if (id > 3) refuse("EINVAL");
  };

  return {
    args_sizes_get: argv.sizes,
    args_get: argv.get,
    environ_sizes_get: environ.sizes,
    environ_get: environ.get,
    clock_res_get(id: number, at: number) {
      checkClock(id);
      memory.setU64(at, 1000n);
    },
    clock_time_get(id: number, _precision: bigint, at: number) {
      checkClock(id);
      memory.setU64(at, id === 0 ? clock.realtime() : clock.monotonic());
    },
    random_get(at: number, length: number) {
      for (let done = 0; done < length; done += RANDOM_BYTES) {
        const part = Math.min(RANDOM_BYTES, length - done);
        memory.bytes(at + done, part).set(random(part));
      }
    },
    proc_exit(code: number) {
      throw new ProgramEnd({ kind: "exited", code: code & 0xff });
    },
    proc_raise: () => refuse("ENOSYS"),
    sched_yield() {},
    sock_accept: (fd: number) => noSocket(fd),
    sock_recv: (fd: number) => noSocket(fd),
    sock_send: (fd: number) => noSocket(fd),
    sock_shutdown: (fd: number) => noSocket(fd),
  };

  function noSocket(fd: number): never {
    descriptors.get(fd);
    return refuse("ENOTSOCK");
  }
}
