import { once } from 'node:events';
import { MessageChannel, Worker } from 'node:worker_threads';
import type { QueuedCommand } from '../../apps/web/src/lib/commands/stored-command.ts';
import type { DiskMessage, DiskRequest, StoredRecord } from './browser-disk.ts';
import type { CuttingProxy } from './cutting-proxy.ts';
import type { FirmMember } from './firm.ts';
import { KnownRecords } from './known-records.ts';
import type { Press } from './operations.ts';
import type { SharedClock } from './simulated-clock.ts';
import type { Outcome, TabData, TabMessage, TabRequest } from './tab.ts';

/** Something that a person did, and what the page said about it. */
export interface MadePress extends Press {
  readonly person: string;
  outcome?: Outcome;
  reason?: string | undefined;
}

interface Tab {
  readonly worker: Worker;
  isReady: boolean;
}

interface BrowserOptions {
  readonly number: number;
  readonly name: string;
  readonly tabCount: number;
  readonly clock: SharedClock;
  readonly proxy: CuttingProxy;
  /** For seeing the simulation fail: the disk forgets every so many commands. */
  readonly dropEvery: number;
  readonly onStored: (record: StoredRecord, browser: number) => void;
  readonly onSignedOut: (browser: Browser) => void;
  readonly onError: (error: unknown) => void;
}

/** A browser with its disk, its cookies and its tabs, any of which can be killed at any moment. */
export class Browser {
  readonly known = new Map<string, KnownRecords>();
  readonly presses: MadePress[] = [];
  readonly discarded = new Set<string>();
  /** Everything that the tabs' comparison with the server has found. */
  readonly differences: string[] = [];
  person: FirmMember | undefined;
  readonly #options: BrowserOptions;
  readonly #disk: Worker;
  readonly #tabs: Tab[] = [];
  readonly #watched = new Set<string>();
  #cookie = '';
  #isOnline = true;
  #removedCalls: readonly string[] = [];
  #listCount = 0;
  #comparedTabs = 0;

  constructor(options: BrowserOptions) {
    this.#options = options;
    const { clock, dropEvery, number, onStored, onError } = options;
    this.#disk = new Worker(new URL('./browser-disk.ts', import.meta.url), { workerData: { clock, dropEvery } });
    this.#disk.on('message', (message: DiskMessage) => {
      if (!('command' in message)) return;
      const { call, details, input, person } = message.command;
      this.getKnown(person).add({ call, variables: (details ?? input) as object });
      onStored(message, number);
    });
    this.#disk.on('error', onError);
    this.#disk.setMaxListeners(0);
  }

  get name(): string {
    return this.#options.name;
  }

  get number(): number {
    return this.#options.number;
  }

  get proxy(): CuttingProxy {
    return this.#options.proxy;
  }

  get isReady(): boolean {
    return this.person !== undefined && this.#tabs.length > 0 && this.#tabs.every(({ isReady }) => isReady);
  }

  /** What the person who is signed in, or another one, knows in this browser. */
  getKnown(key = this.person?.person ?? ''): KnownRecords {
    const known = this.known.get(key) ?? new KnownRecords();
    this.known.set(key, known);
    return known;
  }

  start(): void {
    while (this.#tabs.length < this.#options.tabCount) this.#openTab();
  }

  /** Opens a page with other code from now on. */
  update(removedCalls: readonly string[]): void {
    this.#removedCalls = removedCalls;
  }

  /** Kills a tab some milliseconds from now, after what its person has just pressed. */
  async killTab(index: number, afterMs = 0): Promise<void> {
    const [tab] = this.#tabs.splice(index % Math.max(1, this.#tabs.length), 1);
    if (!tab) return;
    const exited = once(tab.worker, 'exit');
    tab.worker.postMessage({ kind: 'die', afterMs } satisfies TabRequest, []);
    await exited;
  }

  async killAllTabs(afterMs = 0): Promise<void> {
    while (this.#tabs.length > 0) await this.killTab(0, afterMs);
  }

  signIn(person: FirmMember, cookie: string): void {
    this.person = person;
    this.#cookie = cookie;
    this.#sendAll({ kind: 'open', person, cookie });
  }

  setOnline(isOnline: boolean): void {
    this.#isOnline = isOnline;
    if (isOnline) this.#options.proxy.reconnect();
    else this.#options.proxy.disconnect();
    this.#sendAll({ kind: 'online', isOnline });
  }

  /** A weak signal comes and goes without the browser noticing. */
  notice(): void {
    if (this.#isOnline) this.#sendAll({ kind: 'online', isOnline: true });
  }

  make(press: Press, tab: number): void {
    const { call, variables, files } = press;
    this.presses.push({ call, variables, person: this.person?.person ?? '' });
    this.#send(tab, { kind: 'make', press: this.presses.length - 1, call, variables, files });
  }

  tidy(discards: boolean, tab: number): void {
    this.#send(tab, { kind: 'tidy', discards });
  }

  watch(jobId: string): void {
    this.#watched.add(jobId);
    this.#sendAll({ kind: 'watch', jobId });
  }

  /** Lets each tab compare what it shows with what the server has. */
  compare(ownJobs: ReadonlySet<string>): void {
    this.#comparedTabs = 0;
    this.differences.length = 0;
    this.#sendAll({ kind: 'compare', ownJobs });
  }

  hasCompared(): boolean {
    return this.#comparedTabs >= this.#tabs.length;
  }

  /** Reads what is stored, as the next visit would. */
  listStored(): Promise<readonly QueuedCommand[]> {
    this.#listCount += 1;
    const count = this.#listCount;
    return new Promise((resolve) => {
      const receive = (message: DiskMessage) => {
        if (!('listed' in message) || message.listed !== count) return;
        this.#disk.off('message', receive);
        resolve(message.commands);
      };
      this.#disk.on('message', receive);
      this.#disk.postMessage({ list: count } satisfies DiskRequest, []);
    });
  }

  async close(): Promise<void> {
    await this.killAllTabs();
    await this.#disk.terminate();
    await this.#options.proxy.close();
  }

  #openTab(): void {
    const { number, clock, proxy, onSignedOut, onError } = this.#options;
    const { port1, port2 } = new MessageChannel();
    this.#disk.postMessage({ tab: port1 } satisfies DiskRequest, [port1]);
    const workerData: TabData = {
      origin: proxy.url,
      browser: number,
      clock,
      isOnline: this.#isOnline,
      storage: port2,
      removedCalls: this.#removedCalls,
    };
    const worker = new Worker(new URL('./tab.ts', import.meta.url), { workerData, transferList: [port2] });
    const tab: Tab = { worker, isReady: false };
    this.#tabs.push(tab);
    worker.on('error', onError);
    worker.on('message', (message: TabMessage) => {
      switch (message.kind) {
        case 'ready':
          tab.isReady = true;
          if (this.person) worker.postMessage({ kind: 'open', person: this.person, cookie: this.#cookie } satisfies TabRequest, []);
          for (const jobId of this.#watched) worker.postMessage({ kind: 'watch', jobId } satisfies TabRequest, []);
          return;
        case 'outcome': {
          const press = this.presses[message.press];
          if (press) Object.assign(press, { outcome: message.outcome, reason: message.reason });
          return;
        }
        case 'discarding':
          return void this.discarded.add(message.id);
        case 'signed-out':
          return onSignedOut(this);
        case 'compared':
          this.#comparedTabs += 1;
          return void this.differences.push(...message.differences);
      }
    });
  }

  #send(tab: number, request: TabRequest): void {
    this.#tabs[tab % Math.max(1, this.#tabs.length)]?.worker.postMessage(request, []);
  }

  #sendAll(request: TabRequest): void {
    for (const { worker, isReady } of this.#tabs) if (isReady) worker.postMessage(request, []);
  }
}
