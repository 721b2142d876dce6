import { expect, it } from 'vitest';
import { type FailedMeasurement, type MeasurementTask, measureAllTasks } from './measure.ts';
import type { Scenario } from './scenarios.ts';

const buildScenario = (title: string): Scenario => ({ key: 'list', title, method: 'GET', status: 200, variants: [] });

it('keeps the other measurements when one scenario fails', async () => {
  const tasks = ['list', 'create job', 'board'].map((title) => ({ scenario: buildScenario(title), connections: 16 }));
  const results: string[] = [];
  const failures: FailedMeasurement[] = [];
  await measureAllTasks(
    tasks,
    ({ scenario: { title } }) =>
      title === 'create job' ? Promise.reject(new Error('product: Received status 500 instead of 201')) : Promise.resolve(title),
    { result: (title) => results.push(title), failure: (failure) => failures.push(failure) },
  );
  expect(results).toEqual(['list', 'board']);
  expect(failures).toEqual([{ title: 'create job', connections: 16, reason: 'product: Received status 500 instead of 201' }]);
});

it('reports each measurement before the next one starts', async () => {
  const events: string[] = [];
  const measure = async ({ scenario }: MeasurementTask) => {
    events.push(`measure ${scenario.title}`);
    return scenario.title;
  };
  const tasks = ['list', 'board'].map((title) => ({ scenario: buildScenario(title), connections: 1 }));
  await measureAllTasks(tasks, measure, { result: (title) => events.push(`report ${title}`), failure: () => undefined });
  expect(events).toEqual(['measure list', 'report list', 'measure board', 'report board']);
});
