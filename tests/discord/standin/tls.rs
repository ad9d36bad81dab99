//! REST is spoken over TLS, by a certificate authority made for the run.

use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};

use axum::serve::Listener;
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair, KeyUsagePurpose};
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

/// A certificate for Discord's name, and the authority that gave it.
#[derive(Debug)]
pub struct Credentials {
    pub ca_pem: String,
    config: Arc<rustls::ServerConfig>,
}

impl Credentials {
    pub fn make() -> Self {
        let mut ca = CertificateParams::new(Vec::new()).unwrap();
        ca.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        ca.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::DigitalSignature];
        let ca_key = KeyPair::generate().unwrap();
        let ca_pem = ca.self_signed(&ca_key).unwrap().pem();
        let issuer = Issuer::new(ca, ca_key);
        let leaf = CertificateParams::new(vec!["discord.com".to_owned()]).unwrap();
        let leaf_key = KeyPair::generate().unwrap();
        let certificate = leaf.signed_by(&leaf_key, &issuer).unwrap();
        let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(leaf_key.serialize_der()));
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut config = rustls::ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![certificate.der().clone()], key)
            .unwrap();
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Self {
            ca_pem,
            config: Arc::new(config),
        }
    }
}

/// Takes connections and shakes hands, each on its own, so that a slow one holds up no other.
#[derive(Debug)]
pub struct TlsListener {
    address: SocketAddr,
    ready: mpsc::UnboundedReceiver<(TlsStream<TcpStream>, SocketAddr)>,
}

/// Names that somebody asked for and that aren't ours.
pub type Strangers = Arc<Mutex<Vec<String>>>;

impl TlsListener {
    pub fn new(listener: TcpListener, credentials: &Credentials, strangers: Strangers) -> io::Result<Self> {
        let address = listener.local_addr()?;
        let acceptor = TlsAcceptor::from(Arc::clone(&credentials.config));
        let (sender, ready) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            while let Ok((stream, peer)) = listener.accept().await {
                let (acceptor, sender) = (acceptor.clone(), sender.clone());
                let strangers = Arc::clone(&strangers);
                tokio::spawn(async move {
                    let Ok(stream) = acceptor.accept(stream).await else {
                        return;
                    };
                    let name = stream.get_ref().1.server_name().unwrap_or_default().to_owned();
                    if name != "discord.com" {
                        strangers
                            .lock()
                            .unwrap_or_else(PoisonError::into_inner)
                            .push(name);
                    }
                    // Nobody listens any more when the test is over.
                    let _ = sender.send((stream, peer));
                });
            }
        });
        Ok(Self { address, ready })
    }
}

impl Listener for TlsListener {
    type Io = TlsStream<TcpStream>;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, Self::Addr) {
        match self.ready.recv().await {
            Some(accepted) => accepted,
            None => std::future::pending().await,
        }
    }

    fn local_addr(&self) -> io::Result<Self::Addr> {
        Ok(self.address)
    }
}
