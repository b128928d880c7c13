/**
 * Compares a picture of the program with the one in the documentation.
 */
import type { Page } from '@playwright/test';

/** Returns data URLs for the pictures, which a page can decode. */
function addressOf(picture: Buffer, type: 'png' | 'webp'): string {
  return `data:image/${type};base64,${picture.toString('base64')}`;
}

/**
 * Returns the share of pixels (0 to 1) that differ between a WebP file and a PNG of the page, outside the elements that
 * match the selector. Pictures of different sizes differ completely. Decodes them in the page.
 */
export async function differenceOf(page: Page, file: Buffer, picture: Buffer, ignored: string): Promise<number> {
  return page.evaluate(
    async ({ addresses, selector }) => {
      /** Smaller differences of a color channel (0 to 255) come from rounding. */
      const tolerance = 12;
      const boxes = [...document.querySelectorAll(selector)].map((part) => part.getBoundingClientRect());
      const [first, second] = await Promise.all(
        addresses.map(async (address) => {
          const image = new Image();
          image.src = address;
          await image.decode();
          const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
          if (context === null) throw new Error('No canvas is available.');
          context.drawImage(image, 0, 0);
          for (const { x, y, width, height } of boxes) context.clearRect(x, y, width, height);
          return context.getImageData(0, 0, image.width, image.height);
        }),
      );
      if (first === undefined || first.width !== second?.width || first.height !== second.height) return 1;
      let changed = 0;
      for (let at = 0; at < first.data.length; at += 4) {
        const isChanged = [0, 1, 2].some(
          (channel) => Math.abs((first.data[at + channel] ?? 0) - (second.data[at + channel] ?? 0)) > tolerance,
        );
        if (isChanged) changed++;
      }
      return changed / (first.width * first.height);
    },
    { addresses: [addressOf(file, 'webp'), addressOf(picture, 'png')], selector: ignored },
  );
}
