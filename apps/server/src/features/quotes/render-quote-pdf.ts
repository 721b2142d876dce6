import { runWorkerScript } from '../../platform/workers/worker-script.ts';
import { renderQuotePdf } from './quote.pdf.ts';

/** One thread of the renderer in quote-pdf.route.ts. */
runWorkerScript(renderQuotePdf);
