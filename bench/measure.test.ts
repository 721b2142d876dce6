import { expect, it } from 'vitest';
import { type Measurement, measureAllTasks } from './measure.ts';
import type { Scenario } from './scenarios.ts';

const buildScenario = (title: string): Scenario => ({ key: 'list', title, method: 'GET', status: 200, variants: [] });

it('keeps the other measurements when one scenario fails', async () => {
  const tasks = ['list', 'create job', 'board'].map((title) => ({ scenario: buildScenario(title), connections: 16 }));
  const { measurements, failures } = await measureAllTasks(tasks, ({ scenario, connections }) =>
    scenario.title === 'create job'
      ? Promise.reject(new Error('product: Received status 500 instead of 201'))
      : Promise.resolve<Measurement>({
          scenario: scenario.key,
          title: scenario.title,
          connections,
          figures: [],
          ratio_to_http: null,
          ratio_to_driver: null,
          cpu_ratio_to_http: null,
        }),
  );
  expect(measurements.map(({ title }) => title)).toEqual(['list', 'board']);
  expect(failures).toEqual([{ title: 'create job', connections: 16, reason: 'product: Received status 500 instead of 201' }]);
});
