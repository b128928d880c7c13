/** Allows custom properties in `style`. React's type contains only the standard ones. */
import 'react';

declare module 'react' {
  interface CSSProperties {
    [customProperty: `--${string}`]: string | number | undefined;
  }
}
