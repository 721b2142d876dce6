import type { RandomGenerator } from '../../bench/random.ts';

/** What goes wrong or changes in the course of the day, besides connections that break by themselves. */
export const EVENT_KINDS = [
  'hours pass',
  'no signal',
  'tab killed',
  'browser killed',
  'server killed',
  'session ended',
  'clock corrected',
  'page updated',
  'role changed',
  'person dismissed',
] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

const AMOUNTS: Readonly<Record<EventKind, (operations: number) => number>> = {
  'hours pass': (operations) => 6 + operations / 250,
  'no signal': (operations) => 3 + operations / 100,
  'tab killed': (operations) => 2 + operations / 80,
  'browser killed': (operations) => 1 + operations / 300,
  'server killed': (operations) => 1 + operations / 1500,
  'session ended': (operations) => 1 + operations / 400,
  'clock corrected': () => 1,
  'page updated': () => 1,
  'role changed': () => 1,
  'person dismissed': () => 1,
};
/** When, as a share of the day, the events happen that happen once. */
const MOMENTS: Partial<Record<EventKind, number>> = {
  'role changed': 0.4,
  'page updated': 0.5,
  'clock corrected': 0.6,
  'person dismissed': 0.8,
};

/** Returns the events of the day by the number of the operation that they precede. */
export function planDay(random: RandomGenerator, operations: number): ReadonlyMap<number, readonly EventKind[]> {
  const plan = new Map<number, EventKind[]>();
  for (const kind of EVENT_KINDS) {
    for (let count = Math.floor(AMOUNTS[kind](operations)); count > 0; count -= 1) {
      const moment = MOMENTS[kind];
      const at = moment === undefined ? random.integerBelow(operations) : Math.floor(operations * moment);
      plan.set(at, [...(plan.get(at) ?? []), kind]);
    }
  }
  return plan;
}
