/**
 * Lays out large flows outside the window's main thread. Each request message gets one response, in the same order.
 */
import { computeLayout, type LayoutInput } from './nested-layout.ts';

self.addEventListener('message', ({ data }: MessageEvent<LayoutInput>) => {
  self.postMessage(computeLayout(data));
});
