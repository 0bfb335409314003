/**
 * Provides counters and durations in the Prometheus text format. The labels are few and have fixed values: never an id,
 * a name or a requested path. Takes all figures about terminals from the manager's summary.
 */
// Imports single files, because the package's index also loads cluster support, a push client and default metrics,
// which would take a third of our start time.
import Counter from 'prom-client/lib/counter.js';
import Gauge from 'prom-client/lib/gauge.js';
import Histogram from 'prom-client/lib/histogram.js';
import Registry from 'prom-client/lib/registry.js';
import type { ManagerSummary, TerminalManager } from '../contract/manager.js';

/** Durations in seconds, from reading the newest output to a long wait. */
const DURATION_BUCKETS = [0.001, 0.005, 0.025, 0.1, 0.5, 2, 10, 60, 120];
const MICROSECONDS_PER_SECOND = 1e6;
const MS_PER_SECOND = 1000;

/** Counters that are read from the manager on each scrape, each with its name, its help and its value. */
const MANAGER_COUNTERS: readonly (readonly [string, string, (summary: ManagerSummary) => number])[] = [
  ['tenacitty_terminals_created_total', 'Terminals created.', (summary) => summary.createdTotal],
  ['tenacitty_output_bytes_total', 'Bytes written by programs.', (summary) => summary.outputBytesTotal],
  ['tenacitty_input_bytes_total', 'Bytes typed into terminals.', (summary) => summary.inputBytesTotal],
];
const MANAGER_GAUGES: typeof MANAGER_COUNTERS = [
  [
    'tenacitty_waiting_reads',
    'Requests that are currently waiting for output, a command or another event.',
    (summary) => summary.waitingReads,
  ],
  ['tenacitty_history_bytes', 'Bytes of history held in memory.', (summary) => summary.historyBytes],
  ['tenacitty_history_disk_bytes', 'Bytes of history on disk.', (summary) => summary.diskBytes],
  ['tenacitty_problems', 'Number of current problems; /readyz describes them.', (summary) => summary.problems.length],
];

/** Current figures of one host process. */
export interface HostFigures {
  readonly slot: number;
  /** Null if the host did not respond. */
  readonly load: { readonly active: number; readonly memoryBytes: number } | null;
  readonly responseMs: number;
}

/** What a scrape reads. */
interface MetricsSource {
  readonly manager: TerminalManager;
  readonly hosts: () => Promise<readonly HostFigures[]>;
  readonly version: string;
}

/** Gauges of the host processes, each with its name, its help and its value. */
const HOST_GAUGES: readonly (readonly [string, string, (host: HostFigures) => number | undefined])[] = [
  ['tenacitty_host_up', 'Whether the host process responds.', ({ load }) => Number(load !== null)],
  ['tenacitty_host_terminals', 'Running terminals of the host process.', ({ load }) => load?.active],
  ['tenacitty_host_memory_bytes', 'Memory of the host process.', ({ load }) => load?.memoryBytes],
  [
    'tenacitty_host_response_seconds',
    'Time until the host process responded to this scrape, including the delay of its event loop.',
    ({ responseMs }) => responseMs / MS_PER_SECOND,
  ],
];

export class Metrics {
  readonly #registry = new Registry();
  readonly #requests = new Histogram({
    name: 'tenacitty_http_request_duration_seconds',
    help: 'Time from the headers of a request to the end of its response; long polls include their wait.',
    labelNames: ['method', 'route', 'status'],
    buckets: DURATION_BUCKETS,
    registers: [this.#registry],
  });
  readonly #terminals = this.#gauge('tenacitty_terminals', 'Terminals by state.', ['state']);
  readonly #counters = MANAGER_COUNTERS.map(([name, help]) => this.#counter(name, help));
  readonly #gauges = MANAGER_GAUGES.map(([name, help]) => this.#gauge(name, help));
  readonly #refusals = this.#counter(
    'tenacitty_refused_requests_total',
    'Requests refused by authentication, host or origin checks, or rate limits.',
    ['code'],
  );
  readonly #memory = this.#gauge('process_resident_memory_bytes', 'Memory of this process.');
  readonly #hosts = HOST_GAUGES.map(([name, help]) => this.#gauge(name, help, ['host']));
  readonly #build = this.#gauge('tenacitty_build_info', 'Always 1; the labels name the versions.', ['version', 'node']);
  readonly #start = this.#gauge('process_start_time_seconds', 'Start of this process, in seconds since 1970.');
  readonly #cpu = this.#counter('process_cpu_seconds_total', 'Processor time of this process.');

  /** Records one completed request. */
  observe(method: string, route: string, status: number, seconds: number): void {
    this.#requests.observe({ method, route, status }, seconds);
  }

  /**
   * Counts one request that the gate refused.
   *
   * @param code - Error code of the response.
   */
  countRefusal(code: string): void {
    this.#refusals.inc({ code });
  }

  /** Returns all metrics as text, including the current figures of the manager and of the hosts. */
  async text({ manager, hosts, version }: MetricsSource): Promise<string> {
    this.#take(await manager.summary());
    this.#takeHosts(await hosts());
    this.#build.set({ version, node: process.version }, 1);
    this.#start.set(performance.timeOrigin / MS_PER_SECOND);
    const { user, system } = process.cpuUsage();
    set(this.#cpu, (user + system) / MICROSECONDS_PER_SECOND);
    this.#memory.set(process.memoryUsage.rss());
    return this.#registry.metrics();
  }

  #take(summary: ManagerSummary): void {
    this.#terminals.set({ state: 'active' }, summary.activeTerminals);
    this.#terminals.set({ state: 'exited' }, summary.exitedTerminals);
    this.#terminals.set({ state: 'lost' }, summary.lostTerminals);
    MANAGER_COUNTERS.forEach(([, , read], at) => set(this.#counters[at]!, read(summary)));
    MANAGER_GAUGES.forEach(([, , read], at) => this.#gauges[at]!.set(read(summary)));
  }

  /** Forgets hosts that have exited. */
  #takeHosts(hosts: readonly HostFigures[]): void {
    HOST_GAUGES.forEach(([, , read], at) => {
      this.#hosts[at]!.reset();
      for (const host of hosts) {
        const value = read(host);
        if (value !== undefined) this.#hosts[at]!.set({ host: host.slot }, value);
      }
    });
  }

  #gauge(name: string, help: string, labelNames: string[] = []): Gauge {
    return new Gauge({ name, help, labelNames, registers: [this.#registry] });
  }

  #counter(name: string, help: string, labelNames: string[] = []): Counter {
    return new Counter({ name, help, labelNames, registers: [this.#registry] });
  }
}

/** Sets a counter to a value that is counted elsewhere. */
function set(counter: Counter, value: number): void {
  counter.reset();
  counter.inc(value);
}
