import type { Admission } from './admit.js';

export function admissionText(admission: Admission): string {
  switch (admission.outcome) {
    case 'new':
      return `${admission.entries} entries, new here, chain proven`;
    case 'longer':
      return `${admission.entries} entries, ${admission.added} of them new, chain proven`;
    case 'known':
      return 'is here already';
    case 'own':
      return 'is the log this repository writes; nothing in it is new';
  }
}
