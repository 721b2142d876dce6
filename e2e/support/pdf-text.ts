import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';

export interface PdfText {
  readonly pages: readonly string[];
  /** All pages. */
  readonly text: string;
  /** Every amount with two decimals, as printed, in the order of the file. */
  readonly amounts: readonly string[];
}

/** What a reader shows of a PDF, read by other code than wrote it. */
export async function readPdf(bytes: Uint8Array): Promise<PdfText> {
  const task = getDocument({ data: new Uint8Array(bytes) });
  const file = await task.promise;
  const pages: string[] = [];
  for (let number = 1; number <= file.numPages; number += 1) {
    const { items } = await (await file.getPage(number)).getTextContent();
    pages.push(items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : '')).join(''));
  }
  await task.destroy();
  const text = pages.join('\n');
  return { pages, text, amounts: amountsIn(text) };
}

export const amountsIn = (text: string): string[] => text.match(/-?\$?\d[\d,]*\.\d\d(?!\d)/g) ?? [];
