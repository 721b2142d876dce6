import { NewItem } from '@callout/contract/items';
import { NewSupplier } from '@callout/contract/suppliers';

/** Name, SKU and cost, then the margin in percent, or the markup or fixed price in NZD. */
type ItemRow = readonly [string, string, string, { margin: string } | { markup: string } | { fixed: string }];

interface PriceListSource {
  readonly supplier: Partial<NewSupplier> & { company_name: string };
  readonly isService?: boolean;
  readonly rows: readonly ItemRow[];
}

const PRICE_LIST_SOURCES: readonly PriceListSource[] = [
  {
    supplier: {
      company_name: 'Harbour Plumbing Supplies',
      email: 'trade@harbour-supplies.example',
      phone: '09 555 0200',
      address: '41 Rosebank Road',
      city: 'Auckland',
      postal_code: '1026',
      country: 'New Zealand',
    },
    rows: [
      ['Copper pipe 15 mm, 3 m length', 'CU-15-3', '24.80', { margin: '30' }],
      ['Copper pipe 22 mm, 3 m length', 'CU-22-3', '41.60', { margin: '30' }],
      ['PEX pipe 16 mm, 25 m coil', 'PEX-16-25', '58.00', { margin: '30' }],
      ['PEX elbow 16 mm', 'PEX-EL-16', '3.40', { margin: '45' }],
      ['PEX tee 16 mm', 'PEX-TE-16', '4.90', { margin: '45' }],
      ['Ball valve 15 mm, lever', 'BV-15', '11.20', { margin: '40' }],
      ['Ball valve 20 mm, lever', 'BV-20', '14.70', { margin: '40' }],
      ['Isolating valve 15 mm, chrome', 'IV-15-C', '9.60', { margin: '40' }],
      ['Flexible connector 300 mm', 'FC-300', '6.30', { margin: '45' }],
      ['PVC waste pipe 40 mm, 3 m length', 'PVC-40-3', '12.10', { margin: '35' }],
      ['PVC waste pipe 100 mm, 3 m length', 'PVC-100-3', '33.50', { margin: '35' }],
      ['Bottle trap 40 mm, chrome', 'BT-40-C', '28.90', { margin: '35' }],
      ['Thread seal tape, 10 rolls', 'TST-10', '8.50', { margin: '50' }],
      ['Basin mixer, chrome', 'BM-01', '118.00', { margin: '28' }],
      ['Kitchen mixer, pull-out', 'KM-02', '189.00', { margin: '28' }],
      ['Toilet suite, back to wall', 'TS-BTW', '420.00', { markup: '110.00' }],
      ['Cistern inlet valve', 'CIV-1', '22.40', { margin: '40' }],
      ['Shower slide rail set', 'SR-01', '96.00', { margin: '30' }],
    ],
  },
  {
    supplier: {
      company_name: 'Southern Gas & Heating',
      email: 'orders@southern-gas.example',
      phone: '09 555 0210',
      address: '9 Penrose Road',
      city: 'Auckland',
      postal_code: '1061',
      country: 'New Zealand',
    },
    rows: [
      ['Gas water heater 20 L/min', 'GWH-20', '1180.00', { markup: '320.00' }],
      ['Gas water heater 26 L/min', 'GWH-26', '1390.00', { markup: '360.00' }],
      ['Electric cylinder 180 L', 'EC-180', '1245.00', { markup: '330.00' }],
      ['Electric cylinder 250 L', 'EC-250', '1480.00', { markup: '370.00' }],
      ['Tempering valve 20 mm', 'TV-20', '74.00', { margin: '35' }],
      ['Pressure limiting valve 500 kPa', 'PLV-500', '62.50', { margin: '35' }],
      ['Expansion control valve', 'ECV-15', '48.00', { margin: '35' }],
      ['Cylinder thermostat', 'TH-CYL', '39.00', { margin: '40' }],
      ['Element 3 kW', 'EL-3KW', '57.00', { margin: '40' }],
      ['Gas bayonet point', 'GB-01', '36.50', { margin: '40' }],
      ['Gas hose 1.5 m', 'GH-15', '44.00', { margin: '35' }],
      ['Flue kit, horizontal', 'FK-H', '168.00', { margin: '25' }],
      ['Radiator 600 x 1200', 'RAD-612', '236.00', { margin: '28' }],
      ['Thermostatic radiator valve', 'TRV-15', '52.00', { margin: '38' }],
    ],
  },
  {
    supplier: { company_name: 'In-house services', phone: '09 555 0000' },
    isService: true,
    rows: [
      ['Call-out, first half hour', 'SV-CALL', '45.00', { fixed: '110.00' }],
      ['After-hours call-out', 'SV-AH', '90.00', { fixed: '220.00' }],
      ['Plumber, per hour', 'SV-HOUR', '52.00', { fixed: '120.00' }],
      ['Apprentice, per hour', 'SV-APP', '28.00', { fixed: '65.00' }],
      ['Drain camera inspection', 'SV-CAM', '60.00', { fixed: '240.00' }],
      ['Drain jetting, per hour', 'SV-JET', '75.00', { fixed: '210.00' }],
      ['Gas safety certificate', 'SV-CERT', '35.00', { fixed: '145.00' }],
      ['Backflow test', 'SV-BFT', '30.00', { fixed: '130.00' }],
      ['Travel outside Auckland, per km', 'SV-KM', '0.60', { fixed: '1.20' }],
    ],
  },
];

export interface DemoPriceList {
  readonly supplier: NewSupplier;
  readonly items: readonly NewItem[];
}

export function buildDemoPriceLists(newId: () => string): DemoPriceList[] {
  return PRICE_LIST_SOURCES.map(({ supplier: fields, isService = false, rows }) => {
    const supplier = NewSupplier.parse({ id: newId(), ...fields });
    const items = rows.map(([name, sku, cost, price]) =>
      NewItem.parse({
        id: newId(),
        supplier_id: supplier.id,
        name,
        sku,
        cost_price: cost,
        pricing_method: 'margin' in price ? 'margin' : 'markup' in price ? 'markup' : 'fixed',
        margin_percentage: 'margin' in price ? price.margin : null,
        markup_amount: 'markup' in price ? price.markup : null,
        fixed_price: 'fixed' in price ? price.fixed : null,
        tax_inclusive: false,
        is_service: isService,
      }),
    );
    return { supplier, items };
  });
}
