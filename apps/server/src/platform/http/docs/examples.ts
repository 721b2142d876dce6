import { createHash } from 'node:crypto';
import { formatInvoiceNumber } from '@callout/domain/invoices/invoice';
import { formatJobNumber } from '@callout/domain/jobs/job';
import { formatQuoteNumber } from '@callout/domain/quotes/quote';
import type { OpenAPI } from '@orpc/contract';
import type { JSONSchema } from '@orpc/openapi';

type Schema = Exclude<JSONSchema, boolean>;

/** A field and the object that contains it, such as the field `name` of `customer`. */
interface FieldContext {
  readonly owner: string;
  readonly field: string;
}

/** Builds a realistic example value for a schema and field name. */
export function buildExample(document: OpenAPI.Document, schema: unknown, context: FieldContext): unknown {
  const resolved = resolveSchema(document, schema as Schema);
  if (resolved.const !== undefined) return resolved.const;
  if (resolved.enum) return resolved.default ?? resolved.enum[0];
  const choices = resolved.anyOf ?? resolved.oneOf;
  if (choices) return buildChoiceExample(document, choices, context);
  if (resolved.allOf) return Object.assign({}, ...resolved.allOf.map((part) => buildExample(document, part, context)));
  switch (resolved.type) {
    case 'object':
      return buildObjectExample(document, resolved, context);
    case 'array':
      return [resolved.prefixItems ?? resolved.items].flat().map((entry) => buildExample(document, entry, context));
    case 'integer':
    case 'number':
      return resolved.default ?? NUMBER_EXAMPLES.find(([names]) => names.test(context.field))?.[1] ?? Math.max(resolved.minimum ?? 2, 2);
    case 'boolean':
      return resolved.default ?? false;
    case 'string':
      return resolved.default ?? buildTextExample(resolved, context).slice(0, resolved.maxLength);
    default:
      return null;
  }
}

function resolveSchema(document: OpenAPI.Document, schema: Schema): Schema {
  if (!schema.$ref) return schema;
  const named = document.components?.schemas?.[schema.$ref.replace('#/components/schemas/', '')];
  if (!named) throw new Error(`Unknown schema: ${schema.$ref}`);
  return resolveSchema(document, named as Schema);
}

/** In examples, deposits and discounts are percentages, not amounts, and lines are typed by hand, not taken from the price list. */
const NULL_FIELDS = /^((deposit|discount)_amount|supplier_item_id)$/;

function buildChoiceExample(document: OpenAPI.Document, choices: readonly JSONSchema[], context: FieldContext): unknown {
  const filled = choices.find((choice) => typeof choice === 'object' && choice.type !== 'null');
  return NULL_FIELDS.test(context.field) ? null : buildExample(document, filled, context);
}

/** Names of fields that only wrap records. They are skipped, because a customer in `rows` is still a customer. */
const WRAPPER_FIELDS = new Set(['', 'rows', 'current']);

function buildObjectExample(document: OpenAPI.Document, schema: Schema, context: FieldContext): Record<string, unknown> {
  const owner = WRAPPER_FIELDS.has(context.field) ? context.owner : context.field;
  const fields = schema.properties ?? (schema.additionalProperties ? { name: schema.additionalProperties } : {});
  return Object.fromEntries(Object.entries(fields).map(([field, inner]) => [field, buildExample(document, inner, { owner, field })]));
}

function buildTextExample({ format }: Schema, { owner, field }: FieldContext): string {
  const isEnd = /^(to|ends_at|ended_at|created_to)$/.test(field);
  if (format === 'date-time') return isEnd ? '2026-11-16T22:30:00.000Z' : '2026-11-16T20:30:00.000Z';
  if (format === 'date') return isEnd ? '2026-11-23' : '2026-11-17';
  if (format === 'uuid' || /(^|_)ids?$/.test(field)) return buildExampleId(/^ids?$/.test(field) ? owner : field);
  return TEXT_EXAMPLES.find(([names]) => names.test(`${owner}.${field}`))?.[1] ?? 'Parking is behind the house.';
}

/** Builds an id that is the same for `customer_id`, `customers` and the `id` of a `customer`. */
function buildExampleId(name: string): string {
  const digits = createHash('sha256')
    .update(name.replace(/_ids?$|s$/, ''))
    .digest('hex')
    .slice(0, 12);
  return `0197c9a2-6f3e-7c41-9d55-${digits}`;
}

const NUMBER_EXAMPLES: readonly (readonly [RegExp, number])[] = [
  [/^version$/, 1],
  [/_seconds$/, 5400],
  [/_minutes$/, 30],
  [/_size$/, 248_120],
];

/** Each pattern is matched against `owner.field`. The first match wins. */
const TEXT_EXAMPLES: readonly (readonly [RegExp, string])[] = [
  [/email$|\.recipient$/, 'sarah@chen.example'],
  [/phone$/, '021 555 0142'],
  [/password$/, 'seven blue herons'],
  [/\.token$/, 'kV3mWq8sT1xLZ5cR9aYb2QnH7dF4gJ6p'],
  [/_at$|_date$|\.(at|from|last_active|next_attempt|oldest_waiting)$/, '2026-11-16T20:30:00.000Z'],
  [/_on$|\.(date|week|today|late_after|due|valid_until)$/, '2026-11-30'],
  [/_percent(age)?$|_margin$|\.tax_rate$/, '15'],
  [/\.(tax|tax_amount)$/, '15.00'],
  [/\.(subtotal|cost_price|unit_price)$/, '100.00'],
  [/(_price|_amount|_rate|_profit)$|\.(amount|balance|paid|total|deposit|fee|outstanding|days_\d+|older|overpaid)$/, '115.00'],
  [/duration$|\.quantity$/, '2'],
  [/_days$/, '14'],
  [/bank_account_number$/, '12-3456-0789012-00'],
  [/gst_number$/, '123-456-789'],
  [/quote_number$/, formatQuoteNumber(Date.parse('2026-11-16T20:30:42.187Z'))],
  [/invoice_number$/, formatInvoiceNumber('invoice', 2026, 42)],
  [/job_number$/, formatJobNumber('2026-11-16', 50)],
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
  [/(avatar|logo)_url$/, `/api/images/${buildExampleId('image')}`],
  [/url$/, `/api/files/${buildExampleId('file')}`],
  [/_path$/, `/jobs/${buildExampleId('job')}`],
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
