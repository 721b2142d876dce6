import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findSendable } from '../../apps/web/src/lib/commands/stored-command.ts';
import { createRandomGenerator, type RandomGenerator } from '../../bench/random.ts';
import { Browser } from './browser.ts';
import { type ConnectionCut, type ConnectionFault, openCuttingProxy } from './cutting-proxy.ts';
import { type EventKind, planDay } from './day-plan.ts';
import type { DayCommand } from './end-of-day.ts';
import { type AcceptedCommand, type FieldServer, startFieldServer, waitUntil } from './field-server.ts';
import { type Firm, type FirmMember, foundFirm } from './firm.ts';
import { OPERATIONS, type Operation, pickOperation } from './operations.ts';
import { createSharedClock, jumpAhead, readBrowserClock, readClock, type SharedClock, setBrowserClock } from './simulated-clock.ts';
import { type Counts, verifyDay } from './verify-day.ts';

export interface DayOptions {
  readonly seed: number;
  readonly operations: number;
  /** For seeing the simulation fail: disks forget every so many commands. */
  readonly dropEvery?: number;
}

export interface DayReport extends Counts {
  readonly seed: number;
  readonly operations: number;
  readonly faults: Readonly<Record<string, number>>;
  readonly violations: readonly string[];
  readonly seconds: number;
}

const MINUTE_MS = 60_000;
/** More than this many unsent commands would only measure the machine. */
const MAX_BACKLOG = 150;
const POLL_INTERVAL_MS = 250;
const SETTLE_TIMEOUT_MS = 60_000;
/** A call that the page no longer has after its update. */
const REMOVED_CALL = 'tasks.setStatus';

/** Lets three people work on five devices for a day, then compares everything that they did with what the server has. */
export async function simulateDay(options: DayOptions): Promise<DayReport> {
  const folder = await mkdtemp(join(tmpdir(), 'callout-field-'));
  const startedAt = performance.now();
  const server = await startFieldServer(join(folder, 'data'));
  try {
    const day = new Day(options, server, await foundFirm(server));
    const report = await day.run();
    return { ...report, seed: options.seed, operations: options.operations, seconds: (performance.now() - startedAt) / 1000 };
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

class Day {
  readonly #options: DayOptions;
  readonly #server: FieldServer;
  readonly #firm: Firm;
  readonly #random: RandomGenerator;
  /** Decides about connections, whose number differs from run to run, so that it leaves the operations reproducible. */
  readonly #connectionRandom: RandomGenerator;
  readonly #clock: SharedClock = createSharedClock(5);
  readonly #stored = new Map<string, DayCommand>();
  readonly #accepted: AcceptedCommand[] = [];
  readonly #faults: Record<string, number> = {};
  readonly #errors: string[] = [];
  readonly #dismissed = new Set<string>();
  /** Browsers without a signal, with the number of the operation at which it comes back. */
  readonly #offlineUntil = new Map<Browser, number>();
  #browsers: readonly Browser[] = [];
  #breaksConnections = true;

  constructor(options: DayOptions, server: FieldServer, firm: Firm) {
    this.#options = options;
    this.#server = server;
    this.#firm = firm;
    this.#random = createRandomGenerator(options.seed);
    this.#connectionRandom = createRandomGenerator(options.seed + 1_000_000);
  }

  async run() {
    const [mia, sam, ben] = this.#firm.people;
    this.#browsers = [
      await this.#createBrowser(0, "Sam's phone", 1),
      await this.#createBrowser(1, "Sam's second phone", 1),
      await this.#createBrowser(2, "Mia's phone", 1),
      await this.#createBrowser(3, "Ben's phone", 1),
      await this.#createBrowser(4, 'office computer', 2),
    ];
    // The clocks of two phones are wrong.
    setBrowserClock(this.#clock, 1, 24 * 60 * MINUTE_MS);
    setBrowserClock(this.#clock, 3, -3 * 60 * MINUTE_MS);
    try {
      for (const [index, person] of [sam, sam, mia, ben, mia].entries()) {
        const browser = this.#getBrowser(index);
        browser.start();
        await this.#signIn(browser, person);
      }
      await waitUntil('all tabs are open', () => {
        if (this.#errors.length > 0) throw new Error(this.#errors[0]);
        return this.#browsers.every(({ isReady }) => isReady);
      });
      const polling = this.#keepPolling();
      await this.#work();
      await this.#settle();
      await polling.stop();
      return await this.#verify();
    } finally {
      await Promise.all(this.#browsers.map((browser) => browser.close()));
    }
  }

  async #createBrowser(number: number, name: string, tabCount: number): Promise<Browser> {
    const proxy = await openCuttingProxy({
      serverPort: this.#server.port,
      planCut: () => this.#planCut(),
      onFault: (fault) => this.#count(fault),
    });
    return new Browser({
      number,
      name,
      tabCount,
      clock: this.#clock,
      proxy,
      dropEvery: this.#options.dropEvery ?? 0,
      onStored: (record, browser) => this.#stored.set(record.command.id, { ...record, browser }),
      onSignedOut: (browser) => this.#signInLater(browser),
      onError: (error) => this.#errors.push(`${name}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`),
    });
  }

  #getBrowser(index: number): Browser {
    const browser = this.#browsers[index];
    if (!browser) throw new Error(`There is no browser ${index}`);
    return browser;
  }

  #count(fault: string): void {
    this.#faults[fault] = (this.#faults[fault] ?? 0) + 1;
  }

  /** A connection in six breaks: before the server has the whole request, after it has carried it out, or within its answer. */
  #planCut(): ConnectionCut | undefined {
    const random = this.#connectionRandom;
    if (!this.#breaksConnections || random.next() > 1 / 6) return undefined;
    const fault = random.pick<ConnectionFault>(['request cut', 'answer cut', 'answer lost']);
    return { fault, afterBytes: fault === 'answer lost' ? 0 : 1 + random.integerBelow(random.pick([400, 4_000, 40_000])) };
  }

  async #work(): Promise<void> {
    const plan = planDay(this.#random, this.#options.operations);
    const morning = OPERATIONS['new customer and job'];
    if (morning) this.#operate(this.#getBrowser(2), morning);
    for (let number = 0; number < this.#options.operations; number += 1) {
      for (const event of plan.get(number) ?? []) await this.#happen(event, number);
      for (const [browser, until] of this.#offlineUntil) if (number >= until) this.#reconnect(browser);
      const browser = await this.#pickBrowser();
      const operation = pickOperation(this.#random);
      const tab = this.#random.integerBelow(2);
      if (this.#random.next() < 0.03) browser.tidy(this.#random.next() < 0.6, tab);
      if (this.#random.next() < 0.1) browser.notice();
      this.#operate(browser, operation, tab);
      await pause(this.#random.integerBelow(12));
      await this.#waitForBacklog();
    }
  }

  /** While one device starts again, people use another. */
  async #pickBrowser(): Promise<Browser> {
    await waitUntil('somebody can work', () => this.#browsers.some(({ isReady }) => isReady));
    return this.#random.pick(this.#browsers.filter(({ isReady }) => isReady));
  }

  #operate(browser: Browser, { press }: Operation, tab = 0): void {
    const { person } = browser;
    if (!person) return;
    const known = browser.getKnown();
    const random = this.#random;
    const now = new Date(readBrowserClock(this.#clock, browser.number)).toISOString();
    for (const made of press({ random, person, known, now, newId: () => createUuid(random) })) browser.make(made, tab);
    const lastJob = known.jobs.at(-1);
    if (lastJob && random.next() < 0.02) browser.watch(lastJob.id);
  }

  async #waitForBacklog(): Promise<void> {
    const countWaiting = () => this.#stored.size - this.#accepted.length - this.#offlineUntil.size * MAX_BACKLOG;
    for (let waited = 0; countWaiting() > MAX_BACKLOG && waited < 20; waited += 1) await pause(POLL_INTERVAL_MS / 5);
  }

  async #happen(event: EventKind, number: number): Promise<void> {
    const random = this.#random;
    const browser = random.pick(this.#browsers);
    this.#count(event);
    switch (event) {
      case 'hours pass':
        return this.#passTime((3 + random.integerBelow(25)) * MINUTE_MS);
      case 'no signal':
        this.#offlineUntil.set(browser, number + 10 + random.integerBelow(Math.max(20, this.#options.operations / 20)));
        return browser.setOnline(false);
      case 'tab killed':
        await browser.killTab(random.integerBelow(2), random.integerBelow(30));
        return browser.start();
      case 'browser killed':
        await browser.killAllTabs(random.integerBelow(10));
        return browser.start();
      case 'server killed':
        return this.#server.killAndRestart();
      case 'session ended': {
        const [, sam] = this.#firm.people;
        return this.#firm.endSessions(random.next() < 0.4 ? sam : (browser.person ?? sam));
      }
      case 'clock corrected':
        return setBrowserClock(this.#clock, 3, 0);
      case 'page updated':
        for (const each of this.#browsers) each.update([REMOVED_CALL]);
        await this.#getBrowser(0).killAllTabs();
        return this.#getBrowser(0).start();
      case 'role changed':
        return this.#firm.promote(this.#firm.people[1]);
      case 'person dismissed': {
        const [, , ben] = this.#firm.people;
        this.#dismissed.add(ben.person);
        return this.#firm.dismiss(ben);
      }
    }
  }

  /** Moves the day ahead while nothing is on its way, so that what is measured is the time between people's presses. */
  async #passTime(ms: number): Promise<void> {
    for (const browser of this.#browsers) browser.setOnline(false);
    for (const { proxy } of this.#browsers) await proxy.waitUntilAnswered();
    await pause(100);
    await this.#server.setClock(jumpAhead(this.#clock, ms));
    for (const browser of this.#browsers) if (!this.#offlineUntil.has(browser)) browser.setOnline(true);
  }

  #reconnect(browser: Browser): void {
    this.#offlineUntil.delete(browser);
    browser.setOnline(true);
  }

  async #signIn(browser: Browser, person: FirmMember): Promise<void> {
    while (!this.#dismissed.has(person.person)) {
      const cookie = await this.#firm.signIn(person);
      if (cookie !== undefined) return browser.signIn(person, cookie);
      await pause(POLL_INTERVAL_MS);
    }
  }

  /** A moment after a session has ended, the same person signs in again, or on the office computer someone else. */
  #signInLater(browser: Browser): void {
    const { person } = browser;
    if (!person) return;
    browser.person = undefined;
    const [mia, , ben] = this.#firm.people;
    const isShared = browser.number === 4;
    const other = person === mia && !this.#dismissed.has(ben.person) ? ben : mia;
    const isSucceeded = isShared && (this.#dismissed.has(person.person) || this.#connectionRandom.next() < 0.5);
    setTimeout(() => void this.#signIn(browser, isSucceeded ? other : person), 300);
  }

  /** Reads what the server has accepted, and lets everyone work on what others have made. */
  #keepPolling() {
    const stopping = new AbortController();
    const poll = async () => {
      while (!stopping.signal.aborted) {
        await this.#pollAccepted();
        await pause(POLL_INTERVAL_MS);
      }
    };
    const polling = poll();
    return {
      stop: async () => {
        stopping.abort();
        await polling;
        await this.#pollAccepted();
      },
    };
  }

  async #pollAccepted(): Promise<void> {
    // Positions become visible out of order, because transactions commit in parallel.
    const known = new Set(this.#accepted.map(({ position }) => position));
    const from = Math.max(0, (this.#accepted.at(-1)?.position ?? 0) - 200);
    const added = (await this.#server.listAccepted(from)).filter(({ position }) => !known.has(position));
    this.#accepted.push(...added);
    this.#accepted.sort((one, other) => one.position - other.position);
    for (const { id } of added) {
      const made = this.#stored.get(id);
      const shared = made && { call: made.command.call, variables: (made.command.details ?? made.command.input) as object };
      if (!shared || isOwn(made.command.input as object)) continue;
      for (const browser of this.#browsers) if (!shared.call.startsWith('timer.')) browser.getKnown().add(shared);
    }
    // Whoever has a signal sees what has become of each job, also if a move was refused.
    const statuses = await this.#server.listStatuses();
    for (const browser of this.#browsers) if (!this.#offlineUntil.has(browser)) browser.getKnown().readStatuses(statuses);
  }

  /** The evening: everyone has a signal, signs in and waits until everything is sent. */
  async #settle(): Promise<void> {
    this.#breaksConnections = false;
    for (const browser of this.#browsers) this.#reconnect(browser);
    await waitUntil('everyone is signed in', () =>
      this.#browsers.every(({ isReady, number }) => isReady || (number === 3 && this.#dismissed.size > 0)),
    );
    for (const browser of this.#browsers) {
      const owners = new Set((await browser.listStored()).map(({ person }) => person));
      const current = browser.person;
      const rest = this.#firm.people.filter(
        (member) => member !== current && owners.has(member.person) && !this.#dismissed.has(member.person),
      );
      for (const member of [...rest, ...(current ? [current] : [])]) {
        if (member !== browser.person) await this.#signIn(browser, member);
        await this.#waitUntilSent(browser, member).catch((error: unknown) => this.#errors.push(String(error)));
      }
    }
  }

  async #waitUntilSent(browser: Browser, { person, name }: FirmMember): Promise<void> {
    await waitUntil(
      `${browser.name} has sent everything of ${name}'s`,
      async () => {
        browser.notice();
        const sendable = findSendable((await browser.listStored()).filter((command) => command.person === person));
        return sendable.length === 0;
      },
      SETTLE_TIMEOUT_MS,
    );
  }

  async #verify() {
    const ownJobs = new Set([...this.#stored.values()].map(({ command }) => (command.input as { id?: string }).id ?? '').filter(isOwnId));
    const comparable = this.#browsers.filter(({ isReady }) => isReady);
    for (const browser of comparable) browser.compare(ownJobs);
    await waitUntil('every tab has compared its data', () => comparable.every((browser) => browser.hasCompared())).catch((error: unknown) =>
      this.#errors.push(String(error)),
    );
    const left = (await Promise.all(this.#browsers.map((browser) => browser.listStored()))).flat();
    const { violations, ...counts } = await verifyDay({
      database: this.#server.database,
      browsers: this.#browsers,
      stored: this.#stored,
      accepted: this.#accepted,
      left,
      people: this.#firm.people,
      dismissed: this.#dismissed,
      endedAt: readClock(this.#clock),
    });
    const differences = this.#browsers.flatMap(({ name, differences: found }) => found.map((difference) => `${name}: ${difference}`));
    return { ...counts, faults: this.#faults, violations: [...this.#errors, ...violations, ...differences] };
  }
}

/** A quarter of all jobs and tasks stay with the browser that made them. */
const isOwnId = (id: string) => /[0-3]$/.test(id);
const isOwn = ({ id = '', job_id = id }: { id?: string; job_id?: string }) => isOwnId(job_id);

function createUuid(random: RandomGenerator): string {
  const hex = Array.from({ length: 32 }, () => random.integerBelow(16).toString(16)).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}
