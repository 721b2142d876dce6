import { runWorkerScript } from '../../platform/workers/worker-script.ts';
import { type QuotePdfInput, renderQuotePdf } from './quote.pdf.ts';

/** One thread of the renderer in quote-pdf.route.ts. */
runWorkerScript((input) => renderQuotePdf(input as QuotePdfInput));
