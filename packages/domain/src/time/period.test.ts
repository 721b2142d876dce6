import { describe, expect, it } from 'vitest';
import { periodRange } from './period.ts';

describe('a period', () => {
  const now = '2025-01-05T14:30:00Z';

  it('runs from 00:00 to the end of today', () => {
    const to = '2025-01-05T23:59:59.999Z';
    expect(periodRange('day', now, 'UTC')).toEqual({ from: '2025-01-05T00:00:00.000Z', to });
    expect(periodRange('week', now, 'UTC')).toEqual({ from: '2024-12-29T00:00:00.000Z', to });
    expect(periodRange('month', now, 'UTC')).toEqual({ from: '2024-12-06T00:00:00.000Z', to });
  });

  it('does not limit lifetime', () => {
    expect(periodRange('lifetime', now, 'UTC')).toBeNull();
  });

  it('uses today in the zone', () => {
    expect(periodRange('day', now, 'Pacific/Auckland')).toEqual({ from: '2025-01-05T11:00:00.000Z', to: '2025-01-06T10:59:59.999Z' });
    expect(periodRange('day', now, 'America/New_York')).toEqual({ from: '2025-01-05T05:00:00.000Z', to: '2025-01-06T04:59:59.999Z' });
  });

  it('starts at local midnight across a clock change', () => {
    expect(periodRange('week', '2025-03-31T12:00:00Z', 'Europe/London')).toEqual({
      from: '2025-03-24T00:00:00.000Z',
      to: '2025-03-31T22:59:59.999Z',
    });
  });

  it('covers the whole day on which clocks change', () => {
    expect(periodRange('day', '2025-03-30T12:00:00Z', 'Europe/London')).toEqual({
      from: '2025-03-30T00:00:00.000Z',
      to: '2025-03-30T22:59:59.999Z',
    });
    expect(periodRange('day', '2025-10-26T12:00:00Z', 'Europe/London')).toEqual({
      from: '2025-10-25T23:00:00.000Z',
      to: '2025-10-26T23:59:59.999Z',
    });
  });
});
