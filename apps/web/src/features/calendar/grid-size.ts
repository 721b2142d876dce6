import type { EventBox } from './calendar-layout.ts';

const GUTTER_WIDTH = '3.5rem';
/** Minimum width of a day, so that seven fit next to the sidebar on a small desktop. */
const MIN_DAY_REM = 4.5;
/** Width per side-by-side event in a narrow grid, which then scrolls sideways instead of squeezing busy days. */
export const SIDE_BY_SIDE_CLASSES = '[--side-by-side:4.75rem] @min-[35rem]:[--side-by-side:0rem]';
const MIN_LANE_REM = 8;
/** Minimum width of a box, including margins and border, so that every event is at least 24 px wide and easy to hit. */
const MIN_BOX_REM = 2;

/** Returns the inset of an event that covers others. The inset is smaller if several are side by side. */
export const getInsetRem = (trackCount: number, depth: number) => depth * (trackCount > 1 ? 0.75 : 1.5);

type BoxSizes = readonly Pick<EventBox, 'trackCount' | 'depth'>[];

/** Columns share the available width and scroll sideways once they no longer fit. Busy days get a larger share. */
export function calculateGridSize(columns: readonly BoxSizes[], hasLanes: boolean): { minWidth: string; template: string } {
  if (columns.length === 1) return { minWidth: '100%', template: `${GUTTER_WIDTH} minmax(0, 1fr)` };
  const sizes = columns.map((boxes) => {
    const rem = Math.max(hasLanes ? MIN_LANE_REM : MIN_DAY_REM, ...boxes.map(getMinColumnRem));
    if (hasLanes) return { width: `${rem}rem`, share: 1 };
    const share = Math.max(1, ...boxes.map(({ trackCount, depth }) => trackCount + depth / 4));
    return { width: `max(${rem}rem, ${share} * var(--side-by-side))`, share };
  });
  return {
    minWidth: `calc(${[GUTTER_WIDTH, ...sizes.map(({ width }) => width)].join(' + ')})`,
    template: [GUTTER_WIDTH, ...sizes.map(({ width, share }) => `minmax(${width}, ${share}fr)`)].join(' '),
  };
}

const getMinColumnRem = ({ trackCount, depth }: BoxSizes[number]) => trackCount * (MIN_BOX_REM + getInsetRem(trackCount, depth));
