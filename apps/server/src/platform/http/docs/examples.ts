import { createHash } from 'node:crypto';
import { invoiceNumber } from '@callout/domain/invoices/invoice';
import { jobNumber } from '@callout/domain/jobs/job';
import { quoteNumber } from '@callout/domain/quotes/quote';
import type { OpenAPI } from '@orpc/contract';
import type { JSONSchema } from '@orpc/openapi';

type Schema = Exclude<JSONSchema, boolean>;

/** Where a value stands: its field and what that belongs to, such as `name` of `customer`. */
interface Place {
  readonly owner: string;
  readonly field: string;
}

/** A value as it could stand in a real request or answer, made from its schema and the names that lead to it. */
export function exampleOf(document: OpenAPI.Document, schema: unknown, place: Place): unknown {
  const asked = resolve(document, schema as Schema);
  if (asked.const !== undefined) return asked.const;
  if (asked.enum) return asked.default ?? asked.enum[0];
  const choices = asked.anyOf ?? asked.oneOf;
  if (choices) return choiceExample(document, choices, place);
  if (asked.allOf) return Object.assign({}, ...asked.allOf.map((part) => exampleOf(document, part, place)));
  switch (asked.type) {
    case 'object':
      return objectExample(document, asked, place);
    case 'array':
      return [asked.prefixItems ?? asked.items].flat().map((entry) => exampleOf(document, entry, place));
    case 'integer':
    case 'number':
      return asked.default ?? NUMBERS.find(([names]) => names.test(place.field))?.[1] ?? Math.max(asked.minimum ?? 2, 2);
    case 'boolean':
      return asked.default ?? false;
    case 'string':
      return asked.default ?? textExample(asked, place).slice(0, asked.maxLength);
    default:
      return null;
  }
}

function resolve(document: OpenAPI.Document, schema: Schema): Schema {
  if (!schema.$ref) return schema;
  const named = document.components?.schemas?.[schema.$ref.replace('#/components/schemas/', '')];
  if (!named) throw new Error(`There is no schema ${schema.$ref}`);
  return resolve(document, named as Schema);
}

/** A deposit is a percentage or an amount, so one of them is empty. */
const EMPTY = /^deposit_amount$/;

function choiceExample(document: OpenAPI.Document, choices: readonly JSONSchema[], place: Place): unknown {
  const filled = choices.find((choice) => typeof choice === 'object' && choice.type !== 'null');
  return EMPTY.test(place.field) ? null : exampleOf(document, filled, place);
}

/** What only wraps records: a customer in a page of rows is still a customer. */
const WRAPPERS = new Set(['', 'rows', 'current']);

function objectExample(document: OpenAPI.Document, { properties, additionalProperties }: Schema, place: Place): Record<string, unknown> {
  const owner = WRAPPERS.has(place.field) ? place.owner : place.field;
  const fields = properties ?? (additionalProperties ? { name: additionalProperties } : {});
  return Object.fromEntries(Object.entries(fields).map(([field, schema]) => [field, exampleOf(document, schema, { owner, field })]));
}

function textExample({ format }: Schema, { owner, field }: Place): string {
  const isEnd = /^(to|ends_at|ended_at|created_to)$/.test(field);
  if (format === 'date-time') return isEnd ? '2026-11-16T22:30:00.000Z' : '2026-11-16T20:30:00.000Z';
  if (format === 'date') return isEnd ? '2026-11-23' : '2026-11-17';
  if (format === 'uuid' || /(^|_)ids?$/.test(field)) return exampleId(/^ids?$/.test(field) ? owner : field);
  return TEXTS.find(([names]) => names.test(`${owner}.${field}`))?.[1] ?? 'Parking is behind the house.';
}

/** The same for `customer_id`, `customers` and the id of a `customer`. */
function exampleId(name: string): string {
  const digits = createHash('sha256')
    .update(name.replace(/_ids?$|s$/, ''))
    .digest('hex')
    .slice(0, 12);
  return `0197c9a2-6f3e-7c41-9d55-${digits}`;
}

const NUMBERS: readonly (readonly [RegExp, number])[] = [
  [/^version$/, 1],
  [/_seconds$/, 5400],
  [/_minutes$/, 30],
  [/_size$/, 248_120],
];

/** By owner and field; the first that fits. */
const TEXTS: readonly (readonly [RegExp, string])[] = [
  [/email$|\.recipient$/, 'sarah@chen.example'],
  [/phone$/, '021 555 0142'],
  [/password$/, 'seven blue herons'],
  [/\.token$/, 'kV3mWq8sT1xLZ5cR9aYb2QnH7dF4gJ6p'],
  [/_at$|_date$|\.(at|from|last_active|next_attempt|oldest_waiting)$/, '2026-11-16T20:30:00.000Z'],
  [/_on$|\.(date|week|today|late_after|due|valid_until)$/, '2026-11-30'],
  [/_percentage$|_margin$|\.tax_rate$/, '15'],
  [/\.(tax|tax_amount)$/, '15.00'],
  [/\.(subtotal|cost_price|unit_price)$/, '100.00'],
  [/(_price|_amount|_rate|_profit)$|\.(amount|balance|paid|total|deposit|fee|outstanding|days_\d+|older|overpaid)$/, '115.00'],
  [/duration$|\.quantity$/, '2'],
  [/_days$/, '14'],
  [/bank_account_number$/, '12-3456-0789012-00'],
  [/gst_number$/, '123-456-789'],
  [/quote_number$/, quoteNumber(Date.parse('2026-11-16T20:30:42.187Z'))],
  [/invoice_number$/, invoiceNumber('invoice', 2026, 42)],
  [/job_number$/, jobNumber('2026-11-16', 50)],
  [/suppliers?\.name$|supplier_name$/, 'Plumbing World'],
  [/(company|issuer)\.name$|company(_name)?$/, 'Harbour Plumbing'],
  [/items?\.name$/, 'Hot water cylinder 180 L'],
  [/(sections?|sectionTemplates)\.name$/, 'Hot water'],
  [/categor(y|ies)\.name$/, 'Bathrooms'],
  [/file_name$/, 'cylinder.jpg'],
  [/bank_name$/, 'Kiwibank'],
  [/name$|_by$|\.(who|by)$/, 'Sarah Chen'],
  [/network_address$/, '203.0.113.7'],
  [/address$/, '12 Beach Road, Auckland 1010'],
  [/\.city$/, 'Auckland'],
  [/\.country$/, 'New Zealand'],
  [/\.postal_code$/, '1010'],
  [/\.timezone$/, 'Pacific/Auckland'],
  [/\.currency$/, 'NZD'],
  [/\.hex_code$/, '#0f766e'],
  [/(avatar|logo)_url$/, `/api/images/${exampleId('image')}`],
  [/url$/, `/api/files/${exampleId('file')}`],
  [/_path$/, `/jobs/${exampleId('job')}`],
  [/_link$/, 'https://paypal.example/pay'],
  [/cursor$/, 'WyJTYXJhaCBDaGVuIl0'],
  [/\.(sku|reference)$/, 'HWC-180'],
  [/\.server_time$/, '2026-11-16T20:30:00.000Z'],
  [/\.file_type$/, 'image/jpeg'],
  [/\.browser$/, 'Chrome'],
  [/title$|\.subject$/, 'Replace hot water cylinder'],
  [/\.menu_order$/, 'customers'],
  [/content_hash$|\.sha256$/, '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
];
