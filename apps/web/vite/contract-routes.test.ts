import { contract } from '@callout/contract/contract';
import { expect, test } from 'vitest';
import { routesOf } from './contract-routes.ts';

test('every call of the contract is there with its method and path, and nothing else of it', () => {
  const routes = routesOf(contract);
  expect(Object.keys(routes)).toEqual(Object.keys(contract));
  expect(routes['customers']?.['get']).toEqual(['GET', '/customers/{id}']);
});

test('a call that does not say its path stops the build', () => {
  expect(() => routesOf({ jobs: { list: { '~orpc': { route: { method: 'GET' } } } } })).toThrow('jobs.list');
});
