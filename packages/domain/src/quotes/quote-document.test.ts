import { describe, expect, it } from 'vitest';
import { buildQuoteDocument, type QuoteContent } from './quote-document.ts';

const content: QuoteContent = {
  quote_number: 'Q418205',
  title: 'Gas hot water',
  description: null,
  created_on: '2026-11-16',
  valid_until: '2026-12-15',
  currency: 'NZD',
  tax_rate: '15',
  deposit: null,
  issuer: { company_name: 'Tāne Plumbing & Gas', address: null, phone: '09 555 0100', email: 'office@example.com' },
  customer: { name: 'Helen Faleolo', company_name: null },
  sections: [
    section('hot', 'Gas hot water', true, [
      ['Water heater', '2185', '1', false],
      ['Pipe and fittings', '264.5', '1', true],
      ['Install', '105.00', '6', false],
    ]),
    section('rails', 'Heated towel rails', false, [
      ['Rail 600 mm', '345.00', '2', true],
      ['Wiring', '115.00', '2', true],
    ]),
    section('tap', 'Outdoor tap', false, [['Tap', '103.50', '2', true]]),
  ],
};

function section(id: string, name: string, always_required: boolean, items: [string, string, string, boolean][]) {
  return {
    id,
    name,
    description: null,
    always_required,
    items: items.map(([item, unit_price, quantity, tax_inclusive]) => ({
      name: item,
      description: null,
      is_service: false,
      tax_inclusive,
      quantity,
      unit_price,
    })),
  };
}

describe('quote document', () => {
  it('formats and prices the required and selected sections', () => {
    const document = buildQuoteDocument(content, ['rails']);
    expect(document).toMatchObject({
      created: 'Nov 16, 2026',
      valid_until: 'Dec 15, 2026',
      total_amount: '4421.75',
      summary: { subtotal: '3,845.00', tax_label: 'GST 15%', tax: '576.75', rounding: null, total: '$4,421.75' },
    });
    expect(document.sections.map(({ choice, total }) => [choice, total])).toEqual([
      ['required', '$3,501.75'],
      ['selected', '$920.00'],
      ['not-selected', '$207.00'],
    ]);
    expect(document.sections[0]?.items[0]).toEqual({
      name: 'Water heater',
      description: null,
      is_service: false,
      quantity: '1',
      unit_price: '2,185.00',
      total: '2,185.00',
      tax: 'exc GST',
    });
  });

  it('always includes required sections and ignores unknown ones', () => {
    expect(buildQuoteDocument(content, []).summary.total).toBe('$3,501.75');
    expect(buildQuoteDocument(content, ['hot', 'unknown']).summary.total).toBe('$3,501.75');
    expect(buildQuoteDocument(content, ['rails', 'tap']).summary.total).toBe('$4,628.75');
  });

  it('prints the cent by which the rounded section totals differ from the total', () => {
    const small = (id: string) => section(id, id, true, [['Washer', '0.03', '1', false]]);
    const { summary } = buildQuoteDocument({ ...content, sections: [small('a'), small('b')] }, []);
    expect(summary).toMatchObject({ rounding: '0.01', total: '$0.07' });
  });
});
