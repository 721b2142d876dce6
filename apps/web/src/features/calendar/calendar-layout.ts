import { calculateOverlapMinutes } from '@callout/domain/calendar/calendar-event';
import { roundMinutesToHours } from '@callout/domain/durations/duration';
import { MINUTE_MS } from '@callout/domain/time/time-units';
import { getUtcOffset, toEpochMs, toTimeInputValue } from '@callout/domain/time/wall-time';
import { addDays, getStartOfDay, toInstant } from '@callout/domain/time/zoned-time';
import type { CalendarEvent, ClashMap, EventStaff } from './calendar-event.ts';

/**
 * The grid shows wall time, not elapsed time: every day has 24 hours of equal height, and an event is drawn at the local times of its start
 * and end. "Wall minutes" count the minutes since 1970 on a local clock, as if that clock had never been changed.
 */

export const SLOT_MINUTES = 15;
export const DAY_MINUTES = 1440;
/** Minimum height of a box, so that a short event's text fits. */
const MIN_BOX_MINUTES = 30;
/** Minimum height at the top of a covered event that stays visible, so that its time and title can be read. */
const MIN_VISIBLE_MINUTES = 60;
const MAX_OVERLAP_DEPTH = 2;
/** Maximum number of events side by side in a column. If more overlap, the last track becomes a "+3 more" button. */
const MAX_TRACKS = 4;

export function toWallMinutes(instant: string, zone: string): number {
  const ms = toEpochMs(instant);
  return Math.floor((ms + getUtcOffset(ms, zone)) / MINUTE_MS);
}

const getWallDayStart = (date: string) => Date.parse(`${date}T00:00:00Z`) / MINUTE_MS;

/** Rounds half up: 9:07 becomes 9:00, and 9:08 becomes 9:15. */
export const snapToSlot = (minutes: number) => Math.round(minutes / SLOT_MINUTES) * SLOT_MINUTES;

/** Converts wall minutes to an instant. A time that clocks skip moves forward; for a repeated time, returns the first occurrence. */
export function wallMinutesToInstant(wall: number, zone: string): string {
  const date = new Date(wall * MINUTE_MS).toISOString().slice(0, 10);
  const minutes = Math.floor(wall - getWallDayStart(date));
  return toInstant(date, toTimeInputValue({ hour: Math.floor(minutes / 60), minute: minutes % 60 }), zone);
}

/** A day, or one person's lane in a day. `staff` is undefined if the column shows everyone, and null in the lane for unassigned events. */
export interface GridColumn {
  readonly key: string;
  readonly date: string;
  readonly staff?: EventStaff | null;
}

export const createDayColumns = (days: readonly string[]): GridColumn[] => days.map((date) => ({ key: date, date }));

/** Number of lanes that fit side by side without scrolling. */
const MAX_LANES_IN_VIEW = 6;

/**
 * Creates one lane per person, after a lane for unassigned events if there are any. If not all lanes fit, busy people come first, so that
 * the lanes scrolled out of view are likely to be empty.
 */
export function createLaneColumns(date: string, people: readonly EventStaff[], events: readonly CalendarEvent[]): GridColumn[] {
  const staffById = new Map(people.map((staff) => [staff.id, staff]));
  for (const { staff } of events) if (staff && !staffById.has(staff.id)) staffById.set(staff.id, staff);
  const busy = new Set(events.map(({ staff }) => staff?.id));
  const columns: GridColumn[] = [...staffById.values()].map((staff) => ({ key: staff.id, date, staff }));
  if (columns.length > MAX_LANES_IN_VIEW) columns.sort((one, other) => Number(busy.has(other.key)) - Number(busy.has(one.key)));
  const hasUnassigned = columns.length === 0 || events.some(({ staff }) => staff === null);
  return hasUnassigned ? [{ key: 'unassigned', date, staff: null }, ...columns] : columns;
}

/** The part of an event that falls on a column's day. `top` and `bottom` are minutes from the start of that day. */
export interface EventSpan {
  readonly top: number;
  readonly bottom: number;
  /** Wall minutes at which the column's day starts. `wallStart` is when the event starts, possibly on an earlier day. */
  readonly wallDayStart: number;
  readonly wallStart: number;
  readonly startsHere: boolean;
  readonly endsHere: boolean;
}

export interface EventSegment extends EventSpan {
  readonly event: CalendarEvent;
  /** Null unless, on the column's day, the event overlaps an earlier event of the same person. */
  readonly clash: SegmentClash | null;
}

interface SegmentClash {
  readonly earlierId: string;
  /** Minutes of overlap across all days; `dayMinutes` counts only the column's day. */
  readonly minutes: number;
  readonly dayMinutes: number;
  /** Start and end of the overlap, in minutes of the column's day. */
  readonly top: number;
  readonly bottom: number;
}

/** An event segment with its position relative to the other events in the column. */
export interface EventBox extends EventSegment {
  /** Zero-based index of the box's track, among `trackCount` tracks side by side. */
  readonly track: number;
  readonly trackCount: number;
  /** Stacking level in the track: 0 at the bottom. Each level insets the box further. */
  readonly depth: number;
  /** End of the part that no later event covers, in minutes of the day. */
  readonly freeBottom: number;
  /** Depth of the earlier event that this box clashes with and covers, used for hatching; null if the box covers no clashing event. */
  readonly hatchDepth: number | null;
  /** True if the box may be raised and widened on hover without hiding an event on top of it or a clash beside it. */
  readonly canExpand: boolean;
}

/** The "+3 more" button in the last track, which stands for the overlapping events that don't fit. */
export interface OverflowBox extends Pick<EventBox, 'top' | 'bottom' | 'track' | 'trackCount'> {
  readonly hidden: readonly EventSegment[];
}

export interface ColumnContents {
  /** Sorted by start, earliest first. */
  readonly boxes: readonly EventBox[];
  readonly overflow: readonly OverflowBox[];
}

interface WallTimes {
  readonly zone: string;
  readonly wallStart: number;
  readonly rawWallEnd: number;
}

/** Time zone conversion is slow, and every column needs the wall times of every event. */
const wallTimesCache = new WeakMap<object, WallTimes>();

function getWallTimes(event: Pick<CalendarEvent, 'start' | 'end'>, zone: string): WallTimes {
  const cached = wallTimesCache.get(event);
  if (cached?.zone === zone) return cached;
  const times = { zone, wallStart: toWallMinutes(event.start, zone), rawWallEnd: toWallMinutes(event.end, zone) };
  wallTimesCache.set(event, times);
  return times;
}

/** Returns the part of the event that the column shows, or undefined if the event is on another day or in another person's lane. */
export function findEventSpan(
  column: GridColumn,
  event: Pick<CalendarEvent, 'start' | 'end' | 'staff'>,
  zone: string,
): EventSpan | undefined {
  const { staff } = column;
  if (staff !== undefined && (staff?.id ?? null) !== (event.staff?.id ?? null)) return undefined;
  const { wallStart, rawWallEnd } = getWallTimes(event, zone);
  // When clocks go back, an event can end at an earlier wall time than it started, so use its duration instead.
  const wallEnd = rawWallEnd > wallStart ? rawWallEnd : wallStart + (toEpochMs(event.end) - toEpochMs(event.start)) / MINUTE_MS;
  const wallDayStart = getWallDayStart(column.date);
  if (wallStart >= wallDayStart + DAY_MINUTES || wallEnd <= wallDayStart) return undefined;
  const bottom = Math.min(DAY_MINUTES, Math.max(wallEnd - wallDayStart, Math.max(0, wallStart - wallDayStart) + MIN_BOX_MINUTES));
  const top = Math.min(Math.max(0, wallStart - wallDayStart), bottom - MIN_BOX_MINUTES);
  return { top, bottom, wallDayStart, wallStart, startsHere: wallStart >= wallDayStart, endsHere: wallEnd <= wallDayStart + DAY_MINUTES };
}

type PlacedSegment = Omit<EventBox, 'trackCount' | 'freeBottom' | 'hatchDepth' | 'canExpand'>;

/** Groups segments that overlap directly or through a chain of other segments. `segments` must be sorted by `top`. */
function groupOverlapping(segments: readonly EventSegment[]): EventSegment[][] {
  const clusters: EventSegment[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const segment of segments) {
    if (segment.top >= end) clusters.push([]);
    clusters.at(-1)?.push(segment);
    end = Math.max(end, segment.bottom);
  }
  return clusters;
}

const isOverlapping = (one: EventSegment, other: EventSegment) => one.top < other.bottom && other.top < one.bottom;

/** Returns the event's depth if placed in `track`, or undefined if the track is too deep or another event's text would be covered. */
function findDepth(track: readonly PlacedSegment[], segment: EventSegment): number | undefined {
  const below = track.filter((other) => isOverlapping(other, segment));
  if (below.some((other) => segment.top - other.top < MIN_VISIBLE_MINUTES)) return undefined;
  const depth = Math.max(-1, ...below.map((other) => other.depth)) + 1;
  return depth <= MAX_OVERLAP_DEPTH ? depth : undefined;
}

/** Places each event at the smallest depth that keeps the other events' text readable, or in a new track if no depth does. */
function assignTracks(cluster: readonly EventSegment[], maxTracks: number) {
  const tracks: PlacedSegment[][] = [];
  const hidden: EventSegment[] = [];
  for (const segment of cluster) {
    const depths = tracks.map((placed) => findDepth(placed, segment));
    const depth = Math.min(...depths.filter((each) => each !== undefined));
    const track = depths.indexOf(depth);
    if (track !== -1) tracks[track]?.push({ ...segment, track, depth });
    else if (tracks.length < maxTracks) tracks.push([{ ...segment, track: tracks.length, depth: 0 }]);
    else hidden.push(segment);
  }
  return { tracks, hidden };
}

function arrangeCluster(cluster: readonly EventSegment[]): ColumnContents {
  const all = assignTracks(cluster, MAX_TRACKS);
  const isFull = all.hidden.length > 0;
  const { tracks, hidden } = isFull ? assignTracks(cluster, MAX_TRACKS - 1) : all;
  const trackCount = tracks.length + (isFull ? 1 : 0);
  const clashing = tracks.flat().filter(({ clash }) => clash);
  const boxes = tracks.flatMap((track) =>
    track.map((placed) => {
      const over = track.filter(({ top, depth }) => depth > placed.depth && top >= placed.top && top < placed.bottom);
      const canExpand = over.length === 0 && clashing.every((other) => other === placed || !isOverlapping(other, placed));
      const below = track.find(({ event, depth }) => event.id === placed.clash?.earlierId && depth < placed.depth);
      const freeBottom = Math.min(placed.bottom, ...over.map(({ top }) => top));
      return { ...placed, trackCount, freeBottom, hatchDepth: below?.depth ?? null, canExpand };
    }),
  );
  const overflow = groupOverlapping(hidden).map((group) => ({
    top: Math.min(...group.map(({ top }) => top)),
    bottom: Math.max(...group.map(({ bottom }) => bottom)),
    track: trackCount - 1,
    trackCount,
    hidden: group,
  }));
  return { boxes, overflow };
}

export const getDayRange = ({ date }: GridColumn, zone: string) => ({
  start: getStartOfDay(date, zone),
  end: getStartOfDay(addDays(date, 1), zone),
});

const byTop = (one: EventSegment, other: EventSegment) =>
  one.top - other.top || other.bottom - one.bottom || (one.event.id < other.event.id ? -1 : 1);

export function layOutColumn(column: GridColumn, events: readonly CalendarEvent[], clashes: ClashMap, zone: string): ColumnContents {
  const spans = new Map<CalendarEvent, EventSpan>();
  const bottoms = new Map<string, number>();
  for (const event of events) {
    const span = findEventSpan(column, event, zone);
    if (!span) continue;
    spans.set(event, span);
    bottoms.set(event.id, span.bottom);
  }
  const day = getDayRange(column, zone);
  const findClash = ({ id, start }: CalendarEvent, { top, bottom }: EventSpan): SegmentClash | null => {
    const pair = clashes.get(id);
    if (!pair) return null;
    const { earlierId, minutes } = pair;
    // A clash starts when the later event starts.
    const dayMinutes = calculateOverlapMinutes({ start, end: new Date(toEpochMs(start) + minutes * MINUTE_MS).toISOString() }, day);
    if (dayMinutes === 0) return null;
    return { earlierId, minutes, dayMinutes, top, bottom: Math.min(bottom, Math.max(top, bottoms.get(earlierId) ?? top)) };
  };
  const segments = [...spans].map(([event, span]): EventSegment => ({ ...span, event, clash: findClash(event, span) })).toSorted(byTop);
  const clusters = groupOverlapping(segments).map(arrangeCluster);
  return { boxes: clusters.flatMap(({ boxes }) => boxes).toSorted(byTop), overflow: clusters.flatMap(({ overflow }) => overflow) };
}

/** Compares boxes by value. Any changed event recomputes all boxes, and the unchanged ones must not render again. */
export const isSameBox = (one: EventBox, other: EventBox) =>
  isShallowEqual(one, { ...other, clash: one.clash }) && isShallowEqual(one.clash, other.clash);

export const isShallowEqual = (one: object | null, other: object | null) =>
  one === other || (one !== null && other !== null && Object.entries(one).every(([key, value]) => Reflect.get(other, key) === value));

/** A position in the grid: a column and minutes of its day, which may be fractional. */
export interface GridPoint {
  readonly column: GridColumn;
  readonly minutes: number;
}

export const getPointWallMinutes = ({ column, minutes }: GridPoint) => getWallDayStart(column.date) + minutes;

const LAST_SLOT_START = DAY_MINUTES - SLOT_MINUTES;

export interface GrabOffset {
  /** Minutes from the event's start to the point where the user grabbed it. */
  readonly minutes: number;
  /** True if the event started on an earlier day than the column in which the user grabbed it. */
  readonly startsEarlier: boolean;
}

/** Returns the start of an event dropped at `point`: the wall time that the ghost shows, even if clocks change that day. */
export function getDroppedStart(point: GridPoint, grab: GrabOffset, zone: string): string {
  const day = getWallDayStart(point.column.date);
  const start = snapToSlot(getPointWallMinutes(point) - grab.minutes);
  const earliest = grab.startsEarlier ? Number.NEGATIVE_INFINITY : day;
  return wallMinutesToInstant(Math.min(Math.max(start, earliest), day + LAST_SLOT_START), zone);
}

/** Returns the duration in hours after the lower edge was dragged to `point`. Counts elapsed time, in steps of 0.25, at least 0.5. */
export function getResizedHours(start: string, point: GridPoint, zone: string): string {
  const end = wallMinutesToInstant(getPointWallMinutes(point), zone);
  return roundMinutesToHours((toEpochMs(end) - toEpochMs(start)) / MINUTE_MS);
}
