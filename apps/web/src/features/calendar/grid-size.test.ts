import { expect, it } from 'vitest';
import { gridSize, insetRem } from './grid-size.ts';

const REM_PX = 16;
const BORDER_PX = 1;
/** Of an event in its box: pr-1 and pl-0.5. */
const MARGINS_PX = 6;

/** How wide the narrowest event is where the columns are as narrow as they get. */
function narrowestPx(box: { lanes: number; depth: number }, isLanes: boolean): number {
  const { template } = gridSize([[box], []], isLanes);
  const [, rem = ''] = /minmax\((?:max\()?([\d.]+)rem/.exec(template) ?? [];
  const columnPx = Number(rem) * REM_PX - BORDER_PX;
  return columnPx / box.lanes - insetRem(box.lanes, box.depth) * REM_PX - MARGINS_PX;
}

it('gives every event 24 pixels, in a week and in the lanes of people, however many lie beside and over each other', () => {
  for (const isLanes of [false, true]) {
    for (const lanes of [1, 2, 3, 4]) {
      for (const depth of [0, 1, 2]) expect(narrowestPx({ lanes, depth }, isLanes), `${lanes} ${depth}`).toBeGreaterThanOrEqual(24);
    }
  }
});

it('gives a day with much at the same time a larger share, and people the same', () => {
  const columns = [[{ lanes: 3, depth: 1 }], []];
  expect(gridSize(columns, false).template).toMatch(/, 3\.25fr\) minmax\(max\(4\.5rem, .*\), 1fr\)$/);
  expect(gridSize(columns, true).template).toMatch(/, 1fr\) minmax\(8rem, 1fr\)$/);
  expect(gridSize([columns[0] ?? []], false)).toEqual({ minWidth: '100%', template: '3.5rem minmax(0, 1fr)' });
});
