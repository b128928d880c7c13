/**
 * Lays out large flows away from the window's own thread. One message in, one out, in the same order.
 */
import { computeLayout, type LayoutInput } from './nested-layout.ts';

self.addEventListener('message', ({ data }: MessageEvent<LayoutInput>) => {
  self.postMessage(computeLayout(data));
});
