import { expect, it } from 'vitest';
import { calculateGridSize, getInsetRem } from './grid-size.ts';

const REM_PX = 16;
const BORDER_PX = 1;
/** Horizontal padding around an event in its box: `pr-1` and `pl-0.5`. */
const MARGINS_PX = 6;

/** Returns the event's width in pixels when all columns have their minimum width. */
function getNarrowestPx(box: { trackCount: number; depth: number }, hasLanes: boolean): number {
  const { template } = calculateGridSize([[box], []], hasLanes);
  const [, rem = ''] = /minmax\((?:max\()?([\d.]+)rem/.exec(template) ?? [];
  const columnPx = Number(rem) * REM_PX - BORDER_PX;
  return columnPx / box.trackCount - getInsetRem(box.trackCount, box.depth) * REM_PX - MARGINS_PX;
}

it('keeps every event at least 24 px wide, in weeks and in lanes, however many overlap', () => {
  for (const hasLanes of [false, true]) {
    for (const trackCount of [1, 2, 3, 4]) {
      for (const depth of [0, 1, 2])
        expect(getNarrowestPx({ trackCount, depth }, hasLanes), `${trackCount} ${depth}`).toBeGreaterThanOrEqual(24);
    }
  }
});

it('gives a busy day at most half as much width again as an empty one, and keeps lanes equal', () => {
  const columns = [[{ trackCount: 3, depth: 1 }], []];
  expect(calculateGridSize(columns, false).template).toMatch(/, 1\.5fr\) minmax\(max\(5rem, .*\), 1fr\)$/);
  expect(calculateGridSize(columns, true).template).toMatch(/, 1fr\) minmax\(8rem, 1fr\)$/);
  expect(calculateGridSize([columns[0] ?? []], false)).toEqual({ minWidth: '100%', template: '3.5rem minmax(0, 1fr)' });
});
