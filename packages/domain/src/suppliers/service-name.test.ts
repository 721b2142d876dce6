import { expect, it } from 'vitest';
import { isServiceName } from './service-name.ts';

it.each(['Labour', 'labor, 2 people', 'Call-out fee', 'Callout', 'Plumber, per hour', 'Installation', 'Travel'])(
  '%s is a service',
  (name) => {
    expect(isServiceName(name)).toBe(true);
  },
);

it.each(['Kitchen mixer tap', 'Laboratory tap', 'Shower head', ''])('%j is not a service', (name) => {
  expect(isServiceName(name)).toBe(false);
});
