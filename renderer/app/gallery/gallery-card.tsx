/**
 * A card of the gallery: the picture of an example, its title, and what it shows.
 */
import { Check } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useStores } from '../../stores/stores-context.tsx';
import { kindOfPath } from '../../stores/text/paths.ts';
import type { GalleryExample } from '../../stores/workspace/gallery.ts';
import { useMediaQuery } from '../../ui/use-media-query.ts';
import { fileIcon } from '../../workspace-view/file-row.tsx';
import { text } from './text.ts';

/** Returns the picture in the current theme; null while it is loading, or if there is none. */
function usePicture({ id, hasPicture }: GalleryExample): string | null {
  const { engine } = useStores();
  const theme = useMediaQuery('(prefers-color-scheme: dark)') ? 'dark' : 'light';
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    if (!hasPicture) return;
    let isCurrent = true;
    const show = (picture: string | null): void => {
      if (isCurrent) setAddress(picture);
    };
    engine.call('readGalleryPicture', { id, theme }).then(
      (picture) => show(picture.address),
      // The placeholder takes its place.
      () => show(null),
    );
    return () => {
      isCurrent = false;
    };
  }, [engine, id, theme, hasPicture]);
  return address;
}

/** Describes the file that the example opens, such as "9 nodes". */
function sizeText({ opens, nodes }: GalleryExample): string {
  return nodes === undefined ? text.kinds[kindOfPath(opens)] : text.nodes({ count: nodes });
}

interface GalleryCardProps {
  readonly example: GalleryExample;
  readonly isSelected: boolean;
  readonly onSelect: () => void;
  readonly onUse: () => void;
}

export function GalleryCard({ example, isSelected, onSelect, onUse }: GalleryCardProps) {
  const picture = usePicture(example);
  const Icon = fileIcon({ path: example.opens, kind: 'file' });
  return (
    <div
      role="option"
      aria-selected={isSelected}
      className="gallery-card"
      onFocus={onSelect}
      onClick={onSelect}
      onDoubleClick={onUse}
      onKeyDown={({ key }) => key === 'Enter' && onUse()}
      data-roving
      tabIndex={isSelected ? 0 : -1}
    >
      <div className="gallery-picture">
        {picture === null ? <Icon aria-hidden size={28} /> : <img src={picture} alt="" draggable={false} />}
      </div>
      <div className="gallery-title">{example.title}</div>
      <p className="gallery-shows">{example.shows}</p>
      <p className="gallery-facts">
        {text.uses[example.use]} · {sizeText(example)}
        {example.isCopied ? (
          <span className="gallery-copied">
            <Check aria-hidden size={12} />
            {text.copied}
          </span>
        ) : null}
      </p>
    </div>
  );
}
