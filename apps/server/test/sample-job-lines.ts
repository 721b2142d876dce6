import { randomUUID } from 'node:crypto';
import type { SampleRecords } from './factories/sample-records.ts';

type LineRecords = Pick<SampleRecords, 'jobId' | 'itemId' | 'lineId' | 'typedLineId'>;

/** Sample inputs of the calls that change a job's lines. */
export const jobLineSamples = {
  'jobs.addItems': ({ jobId, itemId }: LineRecords) => ({
    job_id: jobId,
    lines: [{ id: randomUUID(), supplier_item_id: itemId, quantity: 2, unit_price: '10.00', discount_percent: '10' }],
  }),
  'jobs.updateItem': ({ lineId }: LineRecords) => ({
    id: lineId,
    version: 1,
    name: 'Tap',
    quantity: 2,
    unit_price: '20.00',
    tax_inclusive: true,
    is_service: false,
    discount_amount: '5.00',
  }),
  'jobs.changeQuantity': ({ lineId }: LineRecords) => ({ id: lineId, request_id: randomUUID(), by: 1 }),
  'jobs.listItem': ({ typedLineId }: LineRecords) => ({ id: typedLineId, new_id: randomUUID() }),
  'jobs.setQuantity': ({ lineId }: LineRecords) => ({ id: lineId, quantity: 3 }),
  'jobs.removeItem': ({ lineId }: LineRecords) => ({ id: lineId }),
};

export const buildSampleLines = ({ lineId, typedLineId, itemId }: Omit<LineRecords, 'jobId'>) => [
  { id: lineId, supplier_item_id: itemId },
  { id: typedLineId, name: 'Labour', unit_price: '95.00' },
];
