/**
 * How test files and their modules are loaded: as Node loads them, with tsx for TypeScript. All test files of a worker
 * share the modules of the sources and packages; Jest's own runtime would load and compile each of them for each file.
 */
const { register } = require('node:module');
const { pathToFileURL } = require('node:url');

/** Jest keeps the tests of a file, and who listens to their events, in properties of the global object. */
const STATE = 'JEST_STATE_SYMBOL';
const EVENT_HANDLERS = Symbol.for('EVENT_HANDLERS');

let loader;
let files = 0;

module.exports = class NodeRuntime {
  #environment;

  constructor(_config, environment) {
    this.#environment = environment;
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  async unstable_importModule(path) {
    await (loader ??= registerLoaders());
    globalThis.jest = mocksOf(this.#environment);
    return import(`${pathToFileURL(path).href}?file=${++files}`);
  }

  /** Loads a module of Jest itself: anew for each file, because it keeps the state of one. */
  requireInternalModule(path) {
    delete require.cache[path];
    delete globalThis[EVENT_HANDLERS];
    return require(path);
  }

  requireModule(path) {
    return require(path);
  }

  teardown() {
    const symbols = Object.getOwnPropertySymbols(globalThis).filter(({ description }) => description === STATE);
    for (const symbol of symbols) delete globalThis[symbol];
  }

  getSourceMaps() {
    return new Map();
  }

  setGlobalsForRuntime() {}
  enterTestCode() {}
  leaveTestCode() {}
  getAllCoverageInfoCopy() {}
};

async function registerLoaders() {
  const tsx = await import('tsx/esm/api');
  tsx.register();
  register('./fresh-modules.mjs', pathToFileURL(__filename));
}

/** What the tests use of the object `jest`. */
function mocksOf({ moduleMocker, fakeTimersModern: timers }) {
  return {
    fn: moduleMocker.fn.bind(moduleMocker),
    spyOn: moduleMocker.spyOn.bind(moduleMocker),
    restoreAllMocks: () => moduleMocker.restoreAllMocks(),
    useFakeTimers: () => timers.useFakeTimers(),
    useRealTimers: () => timers.useRealTimers(),
    runAllTimers: () => timers.runAllTimers(),
    advanceTimersByTime: (ms) => timers.advanceTimersByTime(ms),
    advanceTimersByTimeAsync: (ms) => timers.advanceTimersByTimeAsync(ms),
    advanceTimersToNextTimer: () => timers.advanceTimersToNextTimer(),
    getTimerCount: () => timers.getTimerCount(),
  };
}
