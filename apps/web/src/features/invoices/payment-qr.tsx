import type { encodeQR as encodeQRFunction } from 'qr';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useLazyModule } from '../../ui/use-lazy-module.ts';

/** The empty border that readers need, in modules. */
const BORDER = 4;
const WIDTH_PX = 300;

/** A link that a customer's phone opens by looking at it. Black on white in dark mode, too: many readers take nothing else. */
export function PaymentQr({ link }: { link: string }) {
  const file = useLazyModule(() => import('qr'), true);
  const code = file && encode(file.encodeQR, link);
  if (!code) return file ? <p className="py-4 text-center text-base text-ink-2">This link is too long for a QR code.</p> : <QrSkeleton />;
  return (
    <svg
      role="img"
      aria-label="QR code of the payment link"
      width={WIDTH_PX}
      height={WIDTH_PX}
      viewBox={`0 0 ${code.size} ${code.size}`}
      shapeRendering="crispEdges"
      className="mx-auto block h-auto max-w-full rounded-control"
    >
      <rect width="100%" height="100%" fill="#fff" />
      <path d={code.path} fill="#000" />
    </svg>
  );
}

function QrSkeleton() {
  return (
    <div role="status" className="mx-auto size-75 max-w-full">
      <span className="sr-only">Loading the QR code</span>
      <Skeleton className="size-full" />
    </div>
  );
}

/** At the highest level of error correction; nothing for more text than a code can hold. */
function encode(encodeQR: typeof encodeQRFunction, text: string): { size: number; path: string } | undefined {
  try {
    const rows = encodeQR(text, 'raw', { ecc: 'high', border: BORDER });
    return { size: rows.length, path: rows.map(rowPath).join('') };
  } catch {
    return undefined;
  }
}

/** A rectangle for each run of dark modules: single squares would show hairlines between them. */
function rowPath(row: readonly boolean[], y: number): string {
  return row.map((isDark, x) => (isDark && !row[x - 1] ? `M${x} ${y}h${runLength(row, x)}v1h-${runLength(row, x)}z` : '')).join('');
}

function runLength(row: readonly boolean[], start: number): number {
  const end = row.indexOf(false, start);
  return (end === -1 ? row.length : end) - start;
}
