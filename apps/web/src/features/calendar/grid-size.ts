import type { EventBox } from './calendar-layout.ts';

const GUTTER_WIDTH = '3.5rem';
/** Minimum width of a day, so that seven days fit beside the sidebar on a small desktop screen. */
const MIN_DAY_REM = 5;
/** Minimum width per side-by-side event in a narrow grid, which scrolls sideways instead of squeezing the events of a busy day. */
export const SIDE_BY_SIDE_CLASSES = '[--side-by-side:4.75rem] @min-[35rem]:[--side-by-side:0rem]';
/** A busy day is at most this much wider than an empty one: days of similar width are easier to compare. */
const MAX_DAY_SHARE = 1.5;
const SHARE_PER_TRACK = 0.25;
const MIN_LANE_REM = 8;
/** Minimum width of a box with margins and border. Leaves at least 24 px for the event, so that it is easy to hit. */
const MIN_BOX_REM = 2;

/** Returns how far a box at `depth` is inset, in rem. With several tracks, boxes are narrow, so the inset is smaller. */
export const getInsetRem = (trackCount: number, depth: number) => depth * (trackCount > 1 ? 0.75 : 1.5);

type BoxSizes = readonly Pick<EventBox, 'trackCount' | 'depth'>[];

/** Calculates the CSS grid's columns. Busy days get a slightly larger share of the width. If the columns don't fit, the grid scrolls sideways. */
export function calculateGridSize(columns: readonly BoxSizes[], hasLanes: boolean): { minWidth: string; template: string } {
  if (columns.length === 1) return { minWidth: '100%', template: `${GUTTER_WIDTH} minmax(0, 1fr)` };
  const sizes = columns.map((boxes) => {
    const rem = Math.max(hasLanes ? MIN_LANE_REM : MIN_DAY_REM, ...boxes.map(getMinColumnRem));
    if (hasLanes) return { width: `${rem}rem`, share: 1 };
    const tracks = Math.max(1, ...boxes.map(({ trackCount, depth }) => trackCount + depth / 4));
    return { width: `max(${rem}rem, ${tracks} * var(--side-by-side))`, share: Math.min(MAX_DAY_SHARE, 1 + (tracks - 1) * SHARE_PER_TRACK) };
  });
  return {
    minWidth: `calc(${[GUTTER_WIDTH, ...sizes.map(({ width }) => width)].join(' + ')})`,
    template: [GUTTER_WIDTH, ...sizes.map(({ width, share }) => `minmax(${width}, ${share}fr)`)].join(' '),
  };
}

const getMinColumnRem = ({ trackCount, depth }: BoxSizes[number]) => trackCount * (MIN_BOX_REM + getInsetRem(trackCount, depth));
