import { DAY_MS } from '@callout/domain/time/time-units';
import type { Tenant } from './tenant-scope.ts';

/** Longer than any device is expected to stay offline. */
export const MAX_MADE_AGO_MS = 30 * DAY_MS;
/** A command that arrives sooner was made online, on a slow connection at worst. */
const MIN_DELAY_MS = 60_000;

type MadeCall = Pick<Tenant, 'now' | 'madeAgoMs'>;

/** Returns when the person pressed the button: before `now` if the device was offline. */
export const getMadeAt = ({ now, madeAgoMs = 0 }: MadeCall) =>
  madeAgoMs === 0 ? now : new Date(Date.parse(now) - madeAgoMs).toISOString();

/** Returns when the person pressed the button, or null if the command arrived within a minute. Stored beside the time of arrival. */
export const getLateMadeAt = (call: MadeCall) => ((call.madeAgoMs ?? 0) > MIN_DELAY_MS ? getMadeAt(call) : null);
