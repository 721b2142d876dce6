import { overlapMinutes } from '@callout/domain/calendar/calendar-event';
import { resizedHours } from '@callout/domain/durations/duration';
import { MINUTE_MS } from '@callout/domain/time/time-units';
import { fieldTime, milliseconds, offsetAt } from '@callout/domain/time/wall-time';
import { addDays, startOfDay, zonedInstant } from '@callout/domain/time/zoned-time';
import type { CalendarEvent, Clashes, EventStaff } from './calendar-event.ts';

/*
 * The grid shows clocks, not time that passes: every day has 24 hours of the same height, and an event stands where the clocks of the
 * zone show its start and its end. "Wall minutes" count what clocks show from the beginning of 1970, as if they never changed.
 */

export const SLOT_MINUTES = 15;
export const DAY_MINUTES = 1440;
/** Lower than this no event is drawn, so that its words fit. */
const MIN_BOX_MINUTES = 30;
/** What stays free at the top of an event shows its time and title. */
const TEXT_MINUTES = 60;
const MAX_DEPTH = 2;
/** So many stand side by side. With more at the same time, the last lane says how many there are. */
const MAX_LANES = 4;

export function wallMinutes(instant: string, zone: string): number {
  const ms = milliseconds(instant);
  return Math.floor((ms + offsetAt(ms, zone)) / MINUTE_MS);
}

const dayStart = (date: string) => Date.parse(`${date}T00:00:00Z`) / MINUTE_MS;

/** The nearest quarter of an hour, half up: 9:07 is 9:00, 9:08 is 9:15. */
export const snapMinutes = (minutes: number) => Math.round(minutes / SLOT_MINUTES) * SLOT_MINUTES;

/** The instant at which clocks show it; a time that they skip moves forward, of one that they show twice it is the first. */
export function instantOfWall(wall: number, zone: string): string {
  const date = new Date(wall * MINUTE_MS).toISOString().slice(0, 10);
  const minutes = Math.floor(wall - dayStart(date));
  return zonedInstant(date, fieldTime({ hour: Math.floor(minutes / 60), minute: minutes % 60 }), zone);
}

/** A day of everybody, or of one person; null is nobody's. */
export interface GridColumn {
  readonly key: string;
  readonly date: string;
  readonly staff?: EventStaff | null;
}

export const dayColumns = (days: readonly string[]): GridColumn[] => days.map((date) => ({ key: date, date }));

/** So many people fit beside each other. */
const LANES_IN_VIEW = 6;

/**
 * One for each person, and before them one for what is nobody's when there is any. When not all of them fit, those with work come first:
 * the last are out of sight.
 */
export function laneColumns(date: string, people: readonly EventStaff[], events: readonly CalendarEvent[]): GridColumn[] {
  const lanes = new Map(people.map((staff) => [staff.id, staff]));
  for (const { staff } of events) if (staff && !lanes.has(staff.id)) lanes.set(staff.id, staff);
  const busy = new Set(events.map(({ staff }) => staff?.id));
  const columns: GridColumn[] = [...lanes.values()].map((staff) => ({ key: staff.id, date, staff }));
  if (columns.length > LANES_IN_VIEW) columns.sort((one, other) => Number(busy.has(other.key)) - Number(busy.has(one.key)));
  const hasUnassigned = columns.length === 0 || events.some(({ staff }) => staff === null);
  return hasUnassigned ? [{ key: 'unassigned', date, staff: null }, ...columns] : columns;
}

/** The part of an event that a column shows, in minutes of its day. */
export interface Span {
  readonly top: number;
  readonly bottom: number;
  /** Wall minutes at which the column's day begins, and the whole event. */
  readonly day: number;
  readonly wallStart: number;
  readonly startsHere: boolean;
  readonly endsHere: boolean;
}

export interface Segment extends Span {
  readonly event: CalendarEvent;
  /** With an earlier event of the same person, on a day on which they share time. */
  readonly clash: SegmentClash | null;
}

interface SegmentClash {
  readonly earlierId: string;
  /** On all days together, and on this one. */
  readonly minutes: number;
  readonly dayMinutes: number;
  /** Which part of this event they share. */
  readonly top: number;
  readonly bottom: number;
}

/** Where that part stands among others. */
export interface EventBox extends Segment {
  /** Of how many side by side it is the which, from 0. */
  readonly lane: number;
  readonly lanes: number;
  /** How many earlier events of its lane it lies over, and is moved in for. */
  readonly depth: number;
  /** Down to where no later one lies over it. */
  readonly freeBottom: number;
  /** Where the event that it clashes with lies below it, that one's depth. */
  readonly hatchDepth: number | null;
  /** It may come to the front and grow under the pointer: nothing lies over it, and no clash beside it would be covered. */
  readonly isClear: boolean;
}

/** Events at the same time as others for which there is no room, in the last lane. */
export interface MoreBox extends Pick<EventBox, 'top' | 'bottom' | 'lane' | 'lanes'> {
  readonly hidden: readonly Segment[];
}

export interface ColumnContents {
  /** The earliest first. */
  readonly boxes: readonly EventBox[];
  readonly more: readonly MoreBox[];
}

interface WallTimes {
  readonly zone: string;
  readonly wallStart: number;
  readonly shownEnd: number;
}

/** Every column asks for those of every event, and clocks are slow to read. */
const knownTimes = new WeakMap<object, WallTimes>();

function wallTimesOf(event: Pick<CalendarEvent, 'start' | 'end'>, zone: string): WallTimes {
  const known = knownTimes.get(event);
  if (known?.zone === zone) return known;
  const times = { zone, wallStart: wallMinutes(event.start, zone), shownEnd: wallMinutes(event.end, zone) };
  knownTimes.set(event, times);
  return times;
}

/** What a column shows of an event; nothing when it is on another day or of somebody else. */
export function spanIn(column: GridColumn, event: Pick<CalendarEvent, 'start' | 'end' | 'staff'>, zone: string): Span | undefined {
  const { staff } = column;
  if (staff !== undefined && (staff?.id ?? null) !== (event.staff?.id ?? null)) return undefined;
  const { wallStart, shownEnd } = wallTimesOf(event, zone);
  // Clocks that go back can show its end before its start.
  const wallEnd = shownEnd > wallStart ? shownEnd : wallStart + (milliseconds(event.end) - milliseconds(event.start)) / MINUTE_MS;
  const day = dayStart(column.date);
  if (wallStart >= day + DAY_MINUTES || wallEnd <= day) return undefined;
  const bottom = Math.min(DAY_MINUTES, Math.max(wallEnd - day, Math.max(0, wallStart - day) + MIN_BOX_MINUTES));
  const top = Math.min(Math.max(0, wallStart - day), bottom - MIN_BOX_MINUTES);
  return { top, bottom, day, wallStart, startsHere: wallStart >= day, endsHere: wallEnd <= day + DAY_MINUTES };
}

type Placed = Omit<EventBox, 'lanes' | 'freeBottom' | 'hatchDepth' | 'isClear'>;

/** Events that overlap, directly or through others. */
function clustersOf(segments: readonly Segment[]): Segment[][] {
  const clusters: Segment[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const segment of segments) {
    if (segment.top >= end) clusters.push([]);
    clusters.at(-1)?.push(segment);
    end = Math.max(end, segment.bottom);
  }
  return clusters;
}

const isOverlapping = (one: Segment, other: Segment) => one.top < other.bottom && other.top < one.bottom;

/** How deep an event lies in a lane that has others; undefined when it would cover the words of one. */
function depthIn(lane: readonly Placed[], segment: Segment): number | undefined {
  const below = lane.filter((other) => isOverlapping(other, segment));
  if (below.some((other) => segment.top - other.top < TEXT_MINUTES)) return undefined;
  const depth = Math.max(-1, ...below.map((other) => other.depth)) + 1;
  return depth <= MAX_DEPTH ? depth : undefined;
}

/** Each where it lies least deep, over others only when their words stay free; side by side when that is not possible. */
function lanesOf(cluster: readonly Segment[], maxLanes: number): { readonly lanes: Placed[][]; readonly hidden: Segment[] } {
  const lanes: Placed[][] = [];
  const hidden: Segment[] = [];
  for (const segment of cluster) {
    const depths = lanes.map((lane) => depthIn(lane, segment));
    const depth = Math.min(...depths.filter((each) => each !== undefined));
    const lane = depths.indexOf(depth);
    if (lane !== -1) lanes[lane]?.push({ ...segment, lane, depth });
    else if (lanes.length < maxLanes) lanes.push([{ ...segment, lane: lanes.length, depth: 0 }]);
    else hidden.push(segment);
  }
  return { lanes, hidden };
}

function arrange(cluster: readonly Segment[]): ColumnContents {
  const all = lanesOf(cluster, MAX_LANES);
  const isFull = all.hidden.length > 0;
  const { lanes, hidden } = isFull ? lanesOf(cluster, MAX_LANES - 1) : all;
  const count = lanes.length + (isFull ? 1 : 0);
  const clashing = lanes.flat().filter(({ clash }) => clash);
  const boxes = lanes.flatMap((lane) =>
    lane.map((placed) => {
      const over = lane.filter(({ top, depth }) => depth > placed.depth && top >= placed.top && top < placed.bottom);
      const isClear = over.length === 0 && clashing.every((other) => other === placed || !isOverlapping(other, placed));
      const below = lane.find(({ event, depth }) => event.id === placed.clash?.earlierId && depth < placed.depth);
      const freeBottom = Math.min(placed.bottom, ...over.map(({ top }) => top));
      return { ...placed, lanes: count, freeBottom, hatchDepth: below?.depth ?? null, isClear };
    }),
  );
  const more = clustersOf(hidden).map((run) => ({
    top: Math.min(...run.map(({ top }) => top)),
    bottom: Math.max(...run.map(({ bottom }) => bottom)),
    lane: count - 1,
    lanes: count,
    hidden: run,
  }));
  return { boxes, more };
}

/** The instants at which the column's day begins and ends. */
export const dayOf = ({ date }: GridColumn, zone: string) => ({ start: startOfDay(date, zone), end: startOfDay(addDays(date, 1), zone) });

const byTop = (one: Segment, other: Segment) =>
  one.top - other.top || other.bottom - one.bottom || (one.event.id < other.event.id ? -1 : 1);

export function fillColumn(column: GridColumn, events: readonly CalendarEvent[], clashes: Clashes, zone: string): ColumnContents {
  const spans = new Map<CalendarEvent, Span>();
  const bottoms = new Map<string, number>();
  for (const event of events) {
    const span = spanIn(column, event, zone);
    if (!span) continue;
    spans.set(event, span);
    bottoms.set(event.id, span.bottom);
  }
  const day = dayOf(column, zone);
  const clashOf = ({ id, start }: CalendarEvent, { top, bottom }: Span): SegmentClash | null => {
    const pair = clashes.get(id);
    if (!pair) return null;
    const { earlierId, minutes } = pair;
    // What they share begins with the later one.
    const dayMinutes = overlapMinutes({ start, end: new Date(milliseconds(start) + minutes * MINUTE_MS).toISOString() }, day);
    if (dayMinutes === 0) return null;
    return { earlierId, minutes, dayMinutes, top, bottom: Math.min(bottom, Math.max(top, bottoms.get(earlierId) ?? top)) };
  };
  const segments = [...spans].map(([event, span]): Segment => ({ ...span, event, clash: clashOf(event, span) })).toSorted(byTop);
  const filled = clustersOf(segments).map(arrange);
  return { boxes: filled.flatMap(({ boxes }) => boxes).toSorted(byTop), more: filled.flatMap(({ more }) => more) };
}

/** Drawn alike: where it stands is computed anew with every change of any event. */
export const isSameBox = (one: EventBox, other: EventBox) =>
  isAlike(one, { ...other, clash: one.clash }) && isAlike(one.clash, other.clash);

export const isAlike = (one: object | null, other: object | null) =>
  one === other || (one !== null && other !== null && Object.entries(one).every(([key, value]) => Reflect.get(other, key) === value));

/** A place in the grid: a column and minutes of its day, with fractions. */
export interface GridPoint {
  readonly column: GridColumn;
  readonly minutes: number;
}

export const wallOfPoint = ({ column, minutes }: GridPoint) => dayStart(column.date) + minutes;

const LAST_SLOT = DAY_MINUTES - SLOT_MINUTES;

export interface Grab {
  /** How far below its start an event was taken, in minutes. */
  readonly minutes: number;
  /** It began on an earlier day than the column it was taken in. */
  readonly continues: boolean;
}

/** Where a dragged event starts when it is dropped: at the wall time that the ghost shows, whatever clocks do in between. */
export function droppedStart(point: GridPoint, grab: Grab, zone: string): string {
  const day = dayStart(point.column.date);
  const wanted = snapMinutes(wallOfPoint(point) - grab.minutes);
  const first = grab.continues ? Number.NEGATIVE_INFINITY : day;
  return instantOfWall(Math.min(Math.max(wanted, first), day + LAST_SLOT), zone);
}

/** How long an event takes when its lower edge is dragged to a place: hours that pass, in quarters, at least half an hour. */
export function resizedTo(start: string, point: GridPoint, zone: string): string {
  const end = instantOfWall(wallOfPoint(point), zone);
  return resizedHours((milliseconds(end) - milliseconds(start)) / MINUTE_MS);
}
