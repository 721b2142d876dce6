import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';

export interface PdfText {
  readonly pages: readonly string[];
  readonly text: string;
  /** All amounts with two decimals, in the order in which they appear. */
  readonly amounts: readonly string[];
}

/** Extracts the text from a PDF, using another library than the one that wrote it. */
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
  return { pages, text, amounts: findAmounts(text) };
}

export const findAmounts = (text: string): string[] => text.match(/-?\$?\d[\d,]*\.\d\d(?!\d)/g) ?? [];
