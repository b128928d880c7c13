import type { SvgPicture } from './flow-svg.ts';
import { dataUrl } from './picture-fonts.ts';

/**
 * The picture as PNG, with so many pixels for one at 100 %.
 * @throws Error when it is too much for the page
 */
export async function rasterise({ svg, width, height }: SvgPicture, scale: number): Promise<Blob> {
  const canvas = document.createElement('canvas');
  canvas.width = Math.floor(width * scale);
  canvas.height = Math.floor(height * scale);
  const image = new Image(width, height);
  // The content policy allows images in addresses, not of blobs.
  image.src = await dataUrl(new Blob([svg], { type: 'image/svg+xml' }));
  await image.decode();
  const context = canvas.getContext('2d');
  context?.drawImage(image, 0, 0, canvas.width, canvas.height);
  const png = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (png === null || context === null)
    throw new Error('The picture is too large to be drawn. Save it as SVG instead.');
  return png;
}
