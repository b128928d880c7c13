/** Lets `style` carry our custom properties; React's own type knows only the standard ones. */
import 'react';

declare module 'react' {
  interface CSSProperties {
    [customProperty: `--${string}`]: string | number | undefined;
  }
}
