/**
 * The environment of a test file: Node's own globals instead of a virtual machine of Jest, which would load each module
 * anew for each file. What a file changes in the environment variables and the working directory ends with it.
 */
const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

module.exports = class NodeEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  #variables = { ...process.env };
  #directory = process.cwd();

  constructor({ projectConfig }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup() {
    // Jest has installed its own formatter, which does not know the source maps that Node knows.
    Error.prepareStackTrace = undefined;
  }

  async teardown() {
    this.moduleMocker.restoreAllMocks();
    this.fakeTimersModern.dispose();
    for (const name of Object.keys(process.env)) if (!(name in this.#variables)) delete process.env[name];
    Object.assign(process.env, this.#variables);
    process.chdir(this.#directory);
  }

  /** Required by Jest; its own module loader alone would use it. */
  getVmContext() {
    return null;
  }
};
