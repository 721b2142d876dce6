import type { EventBox } from './calendar-layout.ts';

const GUTTER = '3.5rem';
/** Seven of them fit beside the menu of a small desk. */
const MIN_DAY_REM = 4.5;
/** Where they would not, they scroll sideways, and days with much at the same time get room for it. */
export const SIDE_BY_SIDE = '[--side-by-side:4.75rem] @min-[35rem]:[--side-by-side:0rem]';
/** The words of a person's lane fit. */
const MIN_LANE_REM = 8;
/** Of an event with its margins and the line beside its day, so that none is narrower than 24 px, which a shaky hand still hits. */
const MIN_BOX_REM = 2;

/** How far events are moved in that lie over others, by how many stand side by side. */
export const insetRem = (lanes: number, depth: number) => depth * (lanes > 1 ? 0.75 : 1.5);

type Boxes = readonly Pick<EventBox, 'lanes' | 'depth'>[];

/** Columns share the width as long as they fit, and then scroll sideways. A day with much at the same time takes room from the others. */
export function gridSize(columns: readonly Boxes[], isLanes: boolean): { minWidth: string; template: string } {
  if (columns.length === 1) return { minWidth: '100%', template: `${GUTTER} minmax(0, 1fr)` };
  const sizes = columns.map((boxes) => {
    const rem = Math.max(isLanes ? MIN_LANE_REM : MIN_DAY_REM, ...boxes.map(minColumnRem));
    if (isLanes) return { width: `${rem}rem`, share: 1 };
    const share = Math.max(1, ...boxes.map(({ lanes, depth }) => lanes + depth / 4));
    return { width: `max(${rem}rem, ${share} * var(--side-by-side))`, share };
  });
  return {
    minWidth: `calc(${[GUTTER, ...sizes.map(({ width }) => width)].join(' + ')})`,
    template: [GUTTER, ...sizes.map(({ width, share }) => `minmax(${width}, ${share}fr)`)].join(' '),
  };
}

const minColumnRem = ({ lanes, depth }: Boxes[number]) => lanes * (MIN_BOX_REM + insetRem(lanes, depth));
