import type { VisitorTexts } from './en.ts';

export const FR: VisitorTexts = {
  thanks: { title: 'Merci', text: 'Votre message a bien été reçu.', message: 'Merci, votre message a bien été reçu.' },
  refused: 'Votre message n’a pas été envoyé',
  back: 'Retour à la page',
  closed: 'Ce formulaire est fermé',
  notFound: 'Formulaire introuvable',
  failed: 'Une erreur s’est produite',
  keep: 'Le bouton Précédent de votre navigateur ramène au formulaire avec votre saisie.',
  later: 'Réessayez plus tard ou prenez contact par un autre moyen.',
  address: {
    title: 'Ceci est l’adresse d’un formulaire',
    text: 'Les sites web envoient leurs formulaires ici. Il n’y a rien à remplir à cette adresse.',
    use: 'Pour recevoir votre formulaire ici, indiquez cette adresse dans action :',
    manual: 'Lire le manuel (en anglais)',
  },
  check: {
    title: 'Encore une étape',
    text: 'Effectuez la vérification anti-spam, puis envoyez votre message. Vos saisies sont conservées.',
  },
  confirm: {
    sent: 'Nous vous avons envoyé un e-mail. Ouvrez le lien qu’il contient pour confirmer votre adresse.',
    ask: 'Confirmez votre adresse e-mail',
    text: 'Votre message sera transmis dès votre confirmation.',
    button: 'Confirmer',
    done: 'Adresse confirmée',
    gone: 'Ce lien a expiré ou est incomplet',
    again: 'Veuillez remplir à nouveau le formulaire.',
  },
  hosted: {
    title: 'Formulaire',
    until: (when) => `Ouvert jusqu’au ${when}`,
    scale: (best) => `1 est la note la plus basse, ${best} la plus haute`,
    send: 'Envoyer',
    optional: 'Facultatif',
    choose: 'Choisissez une option',
    leaveEmpty: 'Laissez ce champ vide',
    filesAgain: 'Veuillez choisir de nouveau vos fichiers.',
    needsScript: 'La vérification anti-spam de ce formulaire nécessite JavaScript. Activez-le et rechargez la page.',
  },
  refusals: {
    empty: 'Le formulaire est vide. Veuillez remplir au moins un champ.',
    fields: 'Certaines informations sont manquantes ou doivent être corrigées.',
    unreadable: 'Le formulaire n’a pas pu être lu. Veuillez vérifier votre saisie et réessayer.',
    tooLarge: (limit) =>
      `Le formulaire est trop volumineux. Veuillez raccourcir votre saisie ou choisir des fichiers plus petits. Taille maximale\u00a0: ${limit}.`,
    tooManyFields: (limit) => `Le formulaire contient trop de champs. Nombre maximal de champs\u00a0: ${limit}.`,
    nameTooLong: (limit) =>
      `Le formulaire contient un nom de champ trop long. Nombre maximal d’octets\u00a0: ${limit}.`,
    tooDeep: (limit) =>
      `Les données du formulaire comportent trop de niveaux d’imbrication. Nombre maximal de niveaux\u00a0: ${limit}.`,
    unsupported: (types) =>
      `Le formulaire a été envoyé dans un format non pris en charge. Formats pris en charge, sans Content-Encoding\u00a0: ${types}.`,
    tooManyFiles: 'Il y a trop de fichiers. Veuillez en envoyer moins à la fois.',
    fileTooLarge: 'L’un des fichiers est trop volumineux. Veuillez en choisir un plus petit.',
    fileType: 'Ce formulaire n’accepte pas ce type de fichier. Veuillez en choisir un autre.',
    tooSlow: 'L’envoi de votre message a pris trop de temps. Veuillez vérifier votre connexion et réessayer.',
    notOpen: (when) => `Ce formulaire n’est pas encore ouvert. Il ouvrira le ${when}.`,
    ended: (when) => `Ce formulaire est fermé depuis le ${when}.`,
    full: 'Ce formulaire est complet et n’accepte plus de messages.',
    email: 'Veuillez saisir une adresse e-mail valide dans le champ « email ».',
    already: 'Un message a déjà été reçu avec cette adresse e-mail.',
    paused: 'Ce formulaire n’accepte pas de messages pour le moment.',
    notFound: 'Aucun formulaire n’existe à cette adresse.',
    origin: 'Ce formulaire n’accepte pas de messages depuis cette page.',
    invalidKey:
      'La page précédente a rencontré un problème. Veuillez la recharger et réessayer. (Idempotency-Key compte de 1 à 255 caractères ASCII imprimables.)',
    inProgress: 'Votre message est déjà en cours d’envoi. Veuillez patienter un instant avant de réessayer.',
    reusedKey:
      'Ce formulaire a déjà été envoyé avec un autre contenu. Veuillez recharger la page et le remplir à nouveau.',
    challengeMissing: 'Veuillez effectuer la vérification anti-spam, puis renvoyer le formulaire.',
    challengeFailed: 'La vérification anti-spam a échoué ou a expiré. Veuillez réessayer.',
    challengeUnavailable:
      'La vérification anti-spam n’est pas disponible pour le moment et votre message n’a pas été enregistré. Veuillez réessayer dans une minute.',
    noChallenge: 'Ce formulaire n’utilise pas la vérification anti-spam «\u00a0altcha\u00a0».',
    busy: 'Trop de messages arrivent en même temps et le vôtre n’a pas été enregistré. Veuillez réessayer dans une minute.',
    monthlyLimit: (day) => `Ce formulaire n’accepte plus de messages ce mois-ci. Il rouvrira le ${day}.`,
    rateLimit: (wait) => `Trop de messages ont été envoyés depuis votre réseau. Veuillez réessayer dans ${wait}.`,
    internal:
      'Une erreur s’est produite de notre côté et votre message n’a pas été enregistré. Veuillez réessayer dans une minute.',
  },
};
