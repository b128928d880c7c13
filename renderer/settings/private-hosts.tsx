/**
 * The private addresses that flows of this workspace may reach although it is not trusted, each with a button to revoke
 * this.
 */
import { X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { toErrorRecord } from '../../engine/isomorphic.ts';
import { useStores } from '../stores/stores-context.tsx';
import { withParts } from '../ui/with-parts.tsx';
import { text } from './text.ts';

const words = text.trust;

export function PrivateHosts() {
  const { engine } = useStores();
  const [hosts, setHosts] = useState<readonly string[]>([]);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    let isGone = false;
    engine.call('listPrivateHosts').then(
      (found) => !isGone && setHosts(found),
      (thrown: unknown) => !isGone && setProblem(toErrorRecord(thrown).message),
    );
    return () => {
      isGone = true;
    };
  }, [engine]);
  const forget = async (host: string): Promise<void> => {
    try {
      await engine.call('forgetPrivateHost', host);
      setHosts(hosts.filter((one) => one !== host));
      setProblem(null);
    } catch (thrown) {
      setProblem(toErrorRecord(thrown).message);
    }
  };
  if (hosts.length === 0 && problem === null) return null;
  return (
    <section aria-label={words.privateAddresses}>
      <p className="settings-note secret-hosts">
        {withParts(words.mayReach, {
          hosts: hosts.map((host) => (
            <span key={host} className="secret-host">
              {host}
              <button type="button" aria-label={words.forgetHost({ host })} onClick={() => void forget(host)}>
                <X aria-hidden size={11} />
              </button>
            </span>
          )),
        })}
      </p>
      {problem === null ? null : (
        <p className="settings-problem" role="alert">
          {problem}
        </p>
      )}
    </section>
  );
}
